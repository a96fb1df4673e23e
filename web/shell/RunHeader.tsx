import { RunMenu } from './RunMenu';
import { Tabs } from './Tabs';

/** Which run is shown, and in which view. */
export function RunHeader() {
  return (
    <>
      <RunMenu />
      <Tabs />
    </>
  );
}
