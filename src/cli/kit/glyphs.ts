/** Symbols that are clear without colour; the second set is for terminals without UTF-8. */
const unicode = {
  on: '●',
  off: '○',
  failed: '✕',
  slow: '▲',
  selected: '▪',
  cursor: '▸',
  fine: '▮',
  slowTick: '▯',
  untried: '·',
  ellipsis: '…',
  arrow: '→',
  times: '×',
  divided: '÷',
  separator: '·',
  inside: '›',
  enter: '⏎',
  upDown: '↑↓',
  leftRight: '←→',
  horizontal: '─',
  vertical: '│',
  corners: '┌┐└┘├┤┬┴┼',
  bars: ' ▁▂▃▄▅▆▇█',
  eighths: ' ▏▎▍▌▋▊▉█',
};
export type Glyphs = Readonly<typeof unicode>;

const ascii: Glyphs = {
  on: '*',
  off: 'o',
  failed: 'x',
  slow: '!',
  selected: '#',
  cursor: '>',
  fine: '=',
  slowTick: '!',
  untried: '.',
  ellipsis: '..',
  arrow: '->',
  times: 'x',
  divided: '/',
  separator: '-',
  inside: '>',
  enter: 'enter',
  upDown: 'up/down',
  leftRight: 'left/right',
  horizontal: '-',
  vertical: '|',
  corners: '+++++++++',
  bars: ' .:-=+*#@',
  eighths: '        #',
};

/** UTF-8 unless `--ascii` or a locale that names another character set. */
export function pickGlyphs(forceAscii: boolean, environment: NodeJS.ProcessEnv): Glyphs {
  if (forceAscii) return ascii;
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG || '';
  const charset = locale.split('.')[1];
  const utf8 = charset === undefined ? environment.TERM !== 'linux' : /^utf-?8/i.test(charset);
  return utf8 ? unicode : ascii;
}
