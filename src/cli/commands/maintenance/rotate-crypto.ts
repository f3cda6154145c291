/** `turnpike rotate-crypto` (docs/rules/security.md#rotation). */
import { nowSeconds } from '../../../core/kernel/clock.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type Command, command, type Outcome } from '../../command/command.ts';
import { givenSecret } from '../../command/secret-input.ts';
import { databaseFlags, maintenanceConfig, progressLine } from './shared.ts';

export const rotateCryptoCommands: readonly Command[] = [
  command({
    name: 'rotate-crypto',
    summary: {
      en: 'Encrypt all stored secrets with a new key',
      zh: '用新密钥重新加密所有已保存的秘密',
    },
    details: {
      en: 'The gateway must be stopped. All secrets are changed or none; after an interruption the next start finds the right key. The old key file is kept in snapshots/, because backups from before need it. Where CRYPTO_SECRET is set, give the new value with --new-secret-stdin and set the variable to it before the next start.',
      zh: '须先停止网关。所有秘密要么全部更换，要么都不变；中断后，下次启动会自动使用正确的密钥。旧密钥文件保留在 snapshots/ 中，因为此前的备份需要它。若设置了 CRYPTO_SECRET，请用 --new-secret-stdin 给出新值，并在下次启动前更新该变量。',
    },
    flags: [
      {
        name: 'new-secret-stdin',
        kind: 'switch',
        summary: {
          en: 'Read the new secret from standard input (default: a random one)',
          zh: '从标准输入读取新密钥（默认随机生成）',
        },
      },
      ...databaseFlags,
    ],
    confirmation: {
      en: 'Encrypt all stored secrets with a new key?',
      zh: '用新密钥重新加密所有已保存的秘密？',
    },
    local: true,
    async run(context): Promise<Outcome> {
      const config = await maintenanceConfig(context);
      const secret = await givenSecret(context, 'new-secret');
      if (config.cryptoSecret !== '' && secret === undefined) throw new UsageError(texts.needed);
      const { rotateCrypto } = await import('../../../core/maintenance/rotate-crypto.ts');
      const draw = progressLine(context);
      context.stop(); // a signal does not end the process halfway
      const { keptKey, ...rotated } = await rotateCrypto({
        config,
        secret,
        now: nowSeconds(context.clock),
        onProgress: (finished, total) => draw(texts.running, finished, total),
      }).finally(() => draw(undefined));
      const count = Object.values(rotated).reduce((sum, rows) => sum + rows, 0);
      return {
        json: { rotated, kept_key: keptKey ?? null },
        print: (output) => {
          output.note(texts.rotated, { count: formatCount(count) }, 'ok');
          if (keptKey === undefined) output.note(texts.variable, {}, 'warn');
          else output.note(texts.kept, { path: keptKey });
        },
      };
    },
  }),
];

const texts = {
  needed: {
    en: 'CRYPTO_SECRET is set: give the new secret with --new-secret-stdin',
    zh: '已设置 CRYPTO_SECRET：请用 --new-secret-stdin 给出新密钥',
  },
  running: { en: 'Encrypting', zh: '重新加密' },
  rotated: {
    en: '{count} {count:secret is|secrets are} encrypted with the new key',
    zh: '{count} 项秘密已用新密钥加密',
  },
  variable: {
    en: 'Set CRYPTO_SECRET to the new secret before the next start',
    zh: '请在下次启动前将 CRYPTO_SECRET 设为新密钥',
  },
  kept: {
    en: 'The old key is in {path}: earlier backups need it. Move it to a safe place, or delete it with these backups',
    zh: '旧密钥保存在 {path}：此前的备份需要它。请移到安全的地方，或与这些备份一并删除',
  },
} as const;
