/** What `turnpike import litellm` reads besides the database (docs/rules/import.md#litellm). */
import { parseDocument } from 'yaml';
import type { SiteImport } from '../../core/import-site.ts';
import type { Flag } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import { yamlProblem } from '../base/yaml-words.ts';
import type { Context } from '../command/command.ts';
import { readNamedFile } from '../command/input-file.ts';

/** Dollars. Enough that budgets alone limit, as there. */
const defaultBalance = 100_000;

export const litellmDetails: Text = {
  en: 'SOURCE is the URL or DSN of its PostgreSQL database; - reads it from standard input, which keeps a password out of the process list. It is only read. Stop the proxy first. Set LITELLM_SALT_KEY (or LITELLM_MASTER_KEY, where it had no salt key) in the environment, so that keys of vendors can be decrypted, and the variables that its settings name. Deployments become channels, people and teams users, keys tokens that go on working, budgets and limits budgets with what they were spent of. LiteLLM has no balances: --balance says what everybody gets. Everything is written in one transaction, which is rolled back unless counts and sums equal those of the source. A second run adds what is missing and leaves the rest as it is.',
  zh: 'SOURCE 为其 PostgreSQL 数据库的 URL 或 DSN；写 - 则从标准输入读取，密码不会出现在进程列表中。来源仅读取。请先停止代理。请在环境变量中设置 LITELLM_SALT_KEY（未设置过盐值时用 LITELLM_MASTER_KEY）以解密供应商密钥，并设置其配置所引用的变量。部署成为渠道，用户和团队成为用户，密钥成为令牌并继续有效，预算与限速成为预算并保留已用额度。LiteLLM 没有余额，--balance 指定每个用户获得的余额。全部写入在一个事务中完成，行数与合计和来源不一致时整体回滚。再次运行只补齐缺少的行，其余不变。',
};

export const litellmFlags: readonly Flag[] = [
  {
    name: 'config',
    kind: 'text',
    placeholder: 'FILE',
    summary: {
      en: 'Its config.yaml, where models or settings are in it',
      zh: '其 config.yaml（模型或设置写在该文件中时）',
    },
  },
  {
    name: 'balance',
    kind: 'integer',
    placeholder: 'USD',
    min: 0,
    max: 1_000_000,
    summary: {
      en: 'Dollars of balance for everybody (default 100000)',
      zh: '每个用户的余额，单位美元（默认 100000）',
    },
  },
];

/** Throws UsageError where the file is no YAML. */
export async function readLitellmInput({
  values,
  environment,
}: Pick<Context, 'values' | 'environment'>): Promise<SiteImport['litellm']> {
  const file = values.text('config');
  return {
    config: file === undefined ? undefined : readYaml(readNamedFile(file), file),
    environment,
    saltKey: environment['LITELLM_SALT_KEY'] ?? '',
    balance: values.integer('balance') ?? defaultBalance,
  };
}

function readYaml(text: string, file: string): unknown {
  const parsed = parseDocument(text, { merge: true, prettyErrors: false });
  const refusal = (error: unknown) => new UsageError(texts.yaml, { file, ...yamlProblem(error) });
  const [problem] = parsed.errors;
  if (problem !== undefined) throw refusal(problem);
  try {
    return parsed.toJS();
  } catch (error) {
    throw refusal(error);
  }
}

const texts = {
  yaml: { en: '{file} is no YAML: {en}', zh: '{file} 不是有效的 YAML：{zh}' },
} as const;
