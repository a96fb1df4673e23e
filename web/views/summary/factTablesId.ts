/** Where the Summary's tables begin: findings about a number of theirs lead there. */
export const factTablesId = 'fact-tables';
