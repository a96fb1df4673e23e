/** The page is one file: its own policy forbids it the network, so nothing that needs it is offered. */
export const isOneFile = import.meta.env.MODE === 'single';
