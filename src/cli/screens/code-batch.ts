/** Creating a batch of redemption codes: what is asked, and where the codes go. */
import type { RedemptionEntity } from '../../core/contract/entities.ts';
import { mostRedemptionsPerCall } from '../../core/contract/redemption.ts';
import { createCodeFile } from '../show/code-file.ts';
import { readAmount } from './amounts.ts';
import type { EntityCommand } from './entity-spec.ts';
import type { Host } from './view.ts';

interface Batch {
  readonly quota: number;
  readonly count: number;
  readonly name: string;
}

/** Asks for amount, number, name and file, one after the other. */
export const createCodes: EntityCommand<RedemptionEntity> = {
  action: 'create',
  isForAll: true,
  run(host, { reload }) {
    host.prompt(texts.quota, '', '$1', (amount) => {
      const quota = readAmount(host, amount);
      host.prompt(texts.count, '', '10', (number) => {
        const count = readCount(host, number);
        host.prompt(texts.name, '', '', (name) => {
          host.prompt(texts.file, '', fileName(host), (file) =>
            create(host, { quota, count, name: name.trim() }, file.trim()).finally(reload),
          );
        });
      });
    });
  },
};

/**
 * Writes the codes to the file as they are created, and copies them. A file that cannot be made
 * stops it before there are any.
 */
async function create(host: Host, { count, ...fields }: Batch, file: string): Promise<void> {
  const target = file === '' ? undefined : await createCodeFile(file);
  const codes: string[] = [];
  try {
    while (codes.length < count) {
      const size = Math.min(mostRedemptionsPerCall, count - codes.length);
      const { items } = await host.client.redemption.createBatch({ ...fields, count: size });
      const keys = items.map(({ key }) => key);
      codes.push(...keys);
      await target?.write(`${keys.join('\n')}\n`);
      host.showMessage(host.localize(texts.creating, { done: codes.length, count }), 'dim');
    }
  } finally {
    await target?.close(codes.length === 0);
    if (codes.length > 0) host.copy(codes.map((code) => `${code}\n`).join(''));
  }
  host.showMessage(
    host.localize(file === '' ? texts.copied : texts.saved, { count: codes.length, file }),
    'ok',
  );
}

function fileName({ clock }: Host): string {
  return `codes-${new Date(clock.now()).toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '-')}.txt`;
}

function readCount(host: Host, text: string): number {
  if (!/^\s*\d{1,9}\s*$/.test(text)) throw new Error(host.localize(texts.notACount, { text }));
  return Number(text);
}

const texts = {
  quota: { en: 'amount per code (500000 or $1): ', zh: '每个兑换码的额度（500000 或 $1）：' },
  count: { en: 'number of codes: ', zh: '兑换码数量：' },
  name: { en: 'name (empty: the amount): ', zh: '名称（留空则用额度）：' },
  file: { en: 'file (empty: clipboard only): ', zh: '保存到文件（留空则仅复制）：' },
  notACount: { en: '{text} is not a whole number', zh: '{text} 不是整数' },
  creating: {
    en: 'Created {done} of {count} {count:code|codes}',
    zh: '已创建 {done}/{count} 个兑换码',
  },
  copied: {
    en: 'Created {count} {count:code and copied it|codes and copied them} to the clipboard',
    zh: '已创建 {count} 个兑换码，并复制到剪贴板',
  },
  saved: {
    en: 'Created {count} {count:code|codes}, copied and in {file}',
    zh: '已创建 {count} 个兑换码，已复制并写入 {file}',
  },
} as const;
