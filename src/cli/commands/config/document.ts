/** The configuration file: YAML, of which JSON is a part. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  stringify,
} from 'yaml';
import { isObject } from '../../../core/kernel/json.ts';
import { nearestWord } from '../../base/nearest.ts';
import type { Language } from '../../base/text.ts';
import { yamlProblem } from '../../base/yaml-words.ts';
import type { Section } from './plan.ts';
import { type Path, type Place, Problems } from './problems.ts';

type Entries = Readonly<Record<string, unknown>>;
/** A section that the file lacks is undefined, and left alone. */
export type ConfigDocument = { readonly [S in Section]?: Entries | undefined };

/** The version of the format; another one is refused. */
export const formatVersion = 1;
const sections: readonly Section[] = ['options', 'channels', 'models', 'budgets'];

/**
 * The sections, and what is wrong with the file so far; without its sections if it cannot be read
 * at all.
 */
export function readDocument(
  text: string,
  language: Language,
): { readonly document: ConfigDocument; readonly problems: Problems } {
  const lines = new LineCounter();
  const parsed = parseDocument(text, {
    uniqueKeys: true,
    version: '1.2',
    merge: true,
    lineCounter: lines,
    prettyErrors: false,
  });
  const problems = new Problems(language, (path) => placeOf(parsed, lines, path));
  for (const error of parsed.errors) {
    const { line, col } = lines.linePos(error.pos[0]);
    problems.add([], yamlProblem(error), {}, { line, column: col });
  }
  if (parsed.errors.length > 0) return { document: {}, problems };
  const root = contentsOf(parsed, problems);
  if (!isObject(root)) {
    if (problems.list.length === 0) problems.add([], texts.root);
    return { document: {}, problems };
  }
  if (root['turnpike'] !== formatVersion) {
    problems.add(['turnpike'], root['turnpike'] === undefined ? texts.root : texts.version, {
      version: formatVersion,
    });
    return { document: {}, problems };
  }
  for (const [name, section] of Object.entries(root)) {
    // A place for what several entries share.
    if (name === 'turnpike' || name.startsWith('x-')) continue;
    if (!sections.some((known) => known === name)) addUnknown(problems, [name], sections);
    else if (section !== null && !isObject(section)) problems.add([name], texts.entries);
  }
  const sectionOf = (name: Section): Entries | undefined =>
    isObject(root[name]) ? root[name] : undefined;
  return {
    document: {
      options: sectionOf('options'),
      channels: sectionOf('channels'),
      models: sectionOf('models'),
      budgets: sectionOf('budgets'),
    },
    problems,
  };
}

function contentsOf(parsed: Document, problems: Problems): unknown {
  try {
    return parsed.toJS({ maxAliasCount: 100 });
  } catch (error) {
    problems.add([], yamlProblem(error));
    return undefined;
  }
}

/** Where the entry of a path begins, or the nearest entry around it. */
function placeOf(document: Document, lines: LineCounter, path: Path): Place | undefined {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0];
  for (const name of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === name);
      if (pair === undefined) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(name)];
      if (item === undefined) break;
      if (isScalar(item) || isMap(item) || isSeq(item)) offset = item.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  if (offset === undefined) return undefined;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

/**
 * A name that is not known, with the one that was probably meant, else with all of them if they are
 * few.
 */
export function addUnknown(problems: Problems, path: Path, known: readonly string[]): void {
  const nearest = nearestWord(path.at(-1) ?? '', known);
  if (nearest !== undefined) problems.add(path, texts.mistyped, { nearest });
  else if (known.length <= 30) problems.add(path, texts.unknown, { known: known.join(', ') });
  else problems.add(path, texts.unknownName);
}

export function writeYaml(document: ConfigDocument): string {
  return stringify(
    { turnpike: formatVersion, ...document },
    { lineWidth: 120, aliasDuplicateObjects: false },
  );
}

const texts = {
  root: { en: 'a configuration must contain `turnpike: 1`', zh: '配置文件必须包含 `turnpike: 1`' },
  version: {
    en: 'this version of the format is not supported; write `turnpike: {version}`',
    zh: '不支持此格式版本，应为 `turnpike: {version}`',
  },
  entries: { en: 'must have named entries', zh: '应由带名称的条目组成' },
  mistyped: { en: 'unknown name; did you mean {nearest}?', zh: '未知名称，是不是 {nearest}？' },
  unknown: { en: 'unknown name; there are {known}', zh: '未知名称，可用：{known}' },
  unknownName: { en: 'unknown name', zh: '未知名称' },
} as const;
