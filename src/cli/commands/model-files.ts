/** The entries of the model square as a JSON file, for scripts and for other sites. */
import { CallError } from '../../core/contract/envelope.ts';
import { api } from '../../core/contract/index.ts';
import type { ManagedModel } from '../../core/contract/model-square.ts';
import { isObject, parseJson } from '../../core/kernel/json.ts';
import { UsageError } from '../base/usage-error.ts';
import { type Command, type Context, command, failedWith } from '../command/command.ts';
import { readInputFile } from '../command/input-file.ts';
import { jsonText } from '../show/output.ts';

const { modelSquare } = api;
type Entry = Parameters<Context['call']>[1] & { readonly model: string };

/** What an import reads: without prices and groups, which are the site's own. */
export function portableEntry(row: ManagedModel) {
  return {
    model: row.model,
    icon: row.icon,
    description: row.description,
    description_en: row.description_en,
    type: row.type,
    type_en: row.type_en,
    tags: row.tags,
    tags_en: row.tags_en,
    manufacturer: row.manufacturer,
    price_type: row.price_type,
    context: row.context,
    specification: row.specification,
    publish_time: row.publish_time,
    status: row.status,
    model_price: row.stored_model_price,
  };
}

async function readEntries(context: Context): Promise<readonly Entry[]> {
  const { file = '' } = context.arguments;
  const text = await readInputFile(context, file);
  const value = parseJson(text);
  const entries = isObject(value) ? value['items'] : value;
  if (
    !Array.isArray(entries) ||
    !entries.every((entry) => isObject(entry) && typeof entry['model'] === 'string')
  )
    throw new UsageError(texts.format, { file });
  return entries as readonly Entry[];
}

interface Refusal {
  readonly model: string;
  readonly error: string;
}

export const modelFileCommands: readonly Command[] = [
  command({
    name: 'models export',
    summary: {
      en: 'Print all entries as JSON, for `models import`',
      zh: '以 JSON 输出全部条目，供 models import 使用',
    },
    async run(context) {
      const items = (await context.call(modelSquare.manage, {})).items.map(portableEntry);
      return {
        json: { items, total: items.length },
        print: (output) => output.line(jsonText(items, 2)),
      };
    },
  }),
  command({
    name: 'models import',
    summary: { en: 'Add or update entries from a JSON file', zh: '从 JSON 文件添加或更新条目' },
    details: {
      en: 'Models that the square has are updated, others are added; entries that the file lacks stay. A wrong entry is reported and passed over; the exit code is 1 then.',
      zh: '已有的模型会更新，没有的会添加；文件中没有的条目保持不变。有误的条目会报告并跳过，此时退出码为 1。',
    },
    arguments: [
      {
        name: 'file',
        kind: 'text',
        summary: { en: 'File, or - for standard input', zh: '文件，- 表示标准输入' },
      },
    ],
    async run(context) {
      const entries = await readEntries(context);
      const known = new Set(
        (await context.call(modelSquare.manage, {})).items.map(({ model }) => model),
      );
      const added: string[] = [];
      const updated: string[] = [];
      const refused: Refusal[] = [];
      for (const entry of entries) {
        const { model } = entry;
        try {
          await context.call(known.has(model) ? modelSquare.update : modelSquare.add, entry);
          (known.has(model) ? updated : added).push(model);
          known.add(model);
        } catch (error) {
          // Anything else than a wrong entry ends the import.
          if (!(error instanceof CallError) || !isAboutEntry(error)) throw error;
          refused.push({ model, error: error.message });
        }
      }
      const outcome = {
        json: { added, updated, refused },
        print: (output: Context['output']) => {
          for (const { model, error } of refused)
            output.note(texts.refused, { model, error }, 'error');
          output.note(texts.imported, { added: added.length, updated: updated.length }, 'ok');
        },
      };
      return refused.length > 0 ? failedWith(outcome) : outcome;
    },
  }),
];

function isAboutEntry({ code }: CallError): boolean {
  return code?.startsWith('catalog_') === true || code === 'invalid_parameter';
}

const texts = {
  format: {
    en: '{file} is not a JSON list of entries, each with its model',
    zh: '{file} 不是 JSON 条目列表，每个条目都要有 model',
  },
  refused: { en: '{model}: {error}', zh: '{model}：{error}' },
  imported: { en: 'Added {added}, updated {updated}', zh: '已添加 {added} 个，更新 {updated} 个' },
} as const;
