"""A laboratory: runs with known causes, recorded as a user would. See README.md."""
