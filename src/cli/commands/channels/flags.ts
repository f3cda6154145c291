import { api } from '../../../core/contract/index.ts';
import { findChannelType } from '../../../core/vocabulary/channel-types.ts';
import type { Flag } from '../../base/flags.ts';
import { UsageError } from '../../base/usage-error.ts';
import { readJsonObject } from '../../command/common-flags.ts';
import { fieldFlag } from '../../command/field-flag.ts';

const call = api.channel.create;

const autoBanFlag: Flag = {
  name: 'auto-ban',
  kind: 'text',
  choices: ['on', 'off'],
  field: 'auto_ban',
  read: (text) => (text === 'on' ? 1 : 0),
  summary: { en: 'Allow the gateway to disable it automatically', zh: '允许网关自动停用' },
};

/** Parses a channel type, given by number or slug. */
function readChannelType(text: string): number {
  const info = findChannelType(text);
  if (info === undefined) {
    throw new UsageError(
      {
        en: '--type {text}: see `turnpike channels types` for numbers and slugs',
        zh: '--type {text}：编号与代号见 `turnpike channels types`',
      },
      { text },
    );
  }
  return info.type;
}

/** Flags of `channels add` and `channels edit`. */
export const channelFieldFlags: readonly Flag[] = [
  fieldFlag(call, 'name', { en: 'Name', zh: '名称' }),
  fieldFlag(
    call,
    'type',
    { en: 'Type, by number or slug', zh: '类型，编号或代号' },
    { kind: 'text', placeholder: 'TYPE', read: readChannelType },
  ),
  fieldFlag(call, 'key', {
    en: 'Provider key; --key-stdin keeps it out of the process list',
    zh: '密钥；用 --key-stdin 可避免出现在进程列表中',
  }),
  { name: 'key-stdin', kind: 'switch', summary: { en: 'Read the key from standard input', zh: '从标准输入读取密钥' } },
  fieldFlag(
    call,
    'base_url',
    { en: "Base URL (default: the provider's own)", zh: '接口地址（默认为官方地址）' },
    { placeholder: 'URL' },
  ),
  fieldFlag(call, 'models', { en: 'Models, comma-separated', zh: '模型，以逗号分隔' }, { placeholder: 'A,B' }),
  fieldFlag(
    call,
    'group',
    { en: 'Groups, comma-separated (default: default)', zh: '分组，以逗号分隔（默认 default）' },
    { name: 'groups', placeholder: 'A,B' },
  ),
  fieldFlag(call, 'priority', { en: 'Priority; higher values are tried first', zh: '优先级，数值大者优先' }),
  fieldFlag(call, 'weight', { en: 'Weight among channels of the same priority', zh: '同优先级内的权重' }),
  fieldFlag(call, 'tag', { en: 'Tag', zh: '标签' }),
  fieldFlag(
    call,
    'model_mapping',
    { en: 'Model mapping', zh: '模型重定向' },
    { placeholder: 'JSON', read: readJsonObject('model-mapping') },
  ),
  fieldFlag(
    call,
    'status_code_mapping',
    { en: 'Status code mapping', zh: '状态码复写' },
    { placeholder: 'JSON', read: readJsonObject('status-code-mapping') },
  ),
  fieldFlag(
    call,
    'param_override',
    { en: 'Parameter override', zh: '参数覆盖' },
    { placeholder: 'JSON', read: readJsonObject('param-override') },
  ),
  fieldFlag(
    call,
    'setting',
    { en: 'Other settings (proxy, …)', zh: '其他设置（代理等）' },
    { placeholder: 'JSON', read: readJsonObject('setting') },
  ),
  fieldFlag(call, 'test_model', { en: 'Model for tests', zh: '测试用的模型' }, { placeholder: 'MODEL' }),
  fieldFlag(call, 'openai_organization', { en: 'OpenAI organization', zh: 'OpenAI 组织' }),
  fieldFlag(call, 'other', { en: 'Extra field of the type: region, API version, …', zh: '该类型的附加字段：区域、API 版本等' }),
  fieldFlag(call, 'max_input_tokens', { en: 'Longest prompt in tokens; 0 = no limit', zh: '最大输入 token 数；0 为不限' }),
  autoBanFlag,
];
