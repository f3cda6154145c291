/** The configuration file: YAML, of which JSON is a part. */
import { parseDocument, stringify } from 'yaml';
import { isObject } from '../../../core/kernel/json.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Section } from './plan.ts';

type Entries = Readonly<Record<string, unknown>>;
/** A section that the file lacks is undefined, and left alone. */
export type ConfigDocument = { readonly [S in Section]?: Entries | undefined };

/** The version of the format; another one is refused. */
export const formatVersion = 1;
const sections: readonly Section[] = ['options', 'channels', 'models'];

/** Throws UsageError with line and column for what is not YAML, for repeated names, and for sections that do not exist. */
export function readDocument(text: string, file: string): ConfigDocument {
  const parsed = parseDocument(text, { uniqueKeys: true, version: '1.2' });
  const [first] = parsed.errors;
  if (first !== undefined) throw new UsageError(texts.syntax, { file, cause: first.message.split('\n')[0] ?? '' });
  const root: unknown = parsed.toJS({ maxAliasCount: 100 });
  if (!isObject(root)) throw new UsageError(texts.root, { file });
  if (root['turnpike'] !== formatVersion) throw new UsageError(texts.version, { file, version: formatVersion });
  for (const [name, section] of Object.entries(root)) {
    if (name === 'turnpike') continue;
    if (!sections.some((known) => known === name))
      throw new UsageError(texts.section, { file, name, known: sections.join(', ') });
    if (section !== null && !isObject(section)) throw new UsageError(texts.entries, { file, name });
  }
  const sectionOf = (name: Section): Entries | undefined => (isObject(root[name]) ? root[name] : undefined);
  return { options: sectionOf('options'), channels: sectionOf('channels'), models: sectionOf('models') };
}

export function writeYaml(document: ConfigDocument): string {
  return stringify({ turnpike: formatVersion, ...document }, { lineWidth: 120, aliasDuplicateObjects: false });
}

const texts = {
  syntax: { en: '{file}: {cause}', zh: '{file}：{cause}' },
  root: {
    en: '{file} is not a configuration: it must begin with `turnpike: 1`',
    zh: '{file} 不是配置文件：应以 `turnpike: 1` 开头',
  },
  version: {
    en: '{file}: `turnpike: {version}` is missing, or the file is of another version',
    zh: '{file}：缺少 `turnpike: {version}`，或文件版本不同',
  },
  section: { en: '{file}: unknown section {name}; there are {known}', zh: '{file}：未知部分 {name}，可用：{known}' },
  entries: { en: '{file}: {name} must have named entries', zh: '{file}：{name} 应由带名称的条目组成' },
} as const;
