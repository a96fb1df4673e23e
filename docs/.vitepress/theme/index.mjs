// The fonts of the reader's system: the site fetches none.
export { default } from 'vitepress/theme-without-fonts';
