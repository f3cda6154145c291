import { recordsOf, textOf } from '../../canonical/kit/read-json.ts';

/** A source document of a reply. */
export interface LibraryDocument {
  readonly title: string;
  readonly url: string;
}

export function readDocuments(list: unknown): readonly LibraryDocument[] {
  return recordsOf(list).flatMap(({ title, url }) => {
    const address = textOf(url) ?? '';
    const name = textOf(title) ?? address;
    return name === '' ? [] : [{ title: name, url: address }];
  });
}

/**
 * The list of sources below a reply: a heading in the reply's language and the numbered documents.
 * Empty without documents.
 */
export function writeDocuments(documents: readonly LibraryDocument[], answer: string): string {
  if (documents.length === 0) return '';
  const heading = /\p{Script=Han}/u.test(answer) ? '参考文档：' : 'Reference documents:';
  return `\n\n${[heading, ...documents.map(({ title, url }, at) => `${at + 1}. [${title}](${url})`)].join('\n')}`;
}
