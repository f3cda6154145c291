/** The names of a list that is stored as one text with commas. */
export const commaList = (text: string): readonly string[] =>
  text.split(',').filter((name) => name !== '');
