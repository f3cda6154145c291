import type { ImportReason } from '../../core/vocabulary/import-reasons.ts';
import type { Text } from '../base/text.ts';

/** What an import did, as the report says it. */
export const reasonTexts: Readonly<Record<ImportReason, Text>> = {
  number_out_of_range: {
    en: 'number out of range, set to the bound',
    zh: '数值超出范围，已取边界值',
  },
  invalid_json: { en: 'not a JSON object, left empty', zh: '不是 JSON 对象，已置空' },
  name_suffixed: {
    en: 'username belongs to another user (ignoring case), renamed',
    zh: '用户名已属于其他用户（不区分大小写），已改名',
  },
  email_dropped: { en: 'email belongs to another user, dropped', zh: '邮箱已属于其他用户，已清除' },
  identity_dropped: {
    en: 'sign-in identity dropped: taken or not supported',
    zh: '第三方身份已清除：已被占用或不支持',
  },
  access_token_dropped: {
    en: 'system access token belongs to another user, dropped',
    zh: '系统访问令牌已属于其他用户，已清除',
  },
  invite_code_dropped: {
    en: 'invite code belongs to another user, dropped',
    zh: '邀请码已属于其他用户，已清除',
  },
  deleted_user: {
    en: 'deleted user (status 3), carried as deleted',
    zh: '已注销用户（状态 3），仍为已注销',
  },
  deleted_here: {
    en: 'imported before and deleted here, left out',
    zh: '曾导入且已在本站删除，未导入',
  },
  password_missing: {
    en: 'no bcrypt password: cannot sign in by password',
    zh: '没有 bcrypt 密码：无法用密码登录',
  },
  id_unusable: {
    en: 'id missing, repeated or beyond 2^53 − 1, left out',
    zh: '编号缺失、重复或超出 2^53 − 1，未导入',
  },
  id_taken: {
    en: 'another row of this site has the id, left out',
    zh: '编号已被本站的其他行占用，未导入',
  },
  duplicate_key: { en: 'key belongs to another row, left out', zh: '密钥与其他行重复，未导入' },
  key_missing: { en: 'no key, left out', zh: '没有密钥，未导入' },
  bad_address_disabled: {
    en: 'unreadable address in the allowlist, token disabled',
    zh: 'IP 白名单中有无法识别的地址，令牌已停用',
  },
  range_now_allowed: {
    en: 'address range that the old program ignored: it is allowed now',
    zh: '旧程序忽略的网段：现在会放行',
  },
  group_auto: {
    en: 'group auto does not exist here: the token has the first group of AutoGroups',
    zh: '本站没有 auto 分组：令牌改用 AutoGroups 中的第一个分组',
  },
  type_unknown: {
    en: 'unknown channel type, imported as Custom and disabled',
    zh: '未知的渠道类型，已导入为自定义渠道并停用',
  },
  type_unsupported: {
    en: 'unsupported vendor, imported as Custom and disabled',
    zh: '不支持的供应商，已导入为自定义渠道并停用',
  },
  url_shortened: { en: '/v1 removed from the base URL', zh: '已去掉接口地址末尾的 /v1' },
  url_check: { en: 'base URL does not end in /v1: check it', zh: '接口地址不以 /v1 结尾：请检查' },
  config_invalid: {
    en: 'config is not a JSON object, ignored',
    zh: 'config 不是 JSON 对象，已忽略',
  },
  option_invalid: {
    en: 'option cannot be read, the default stays',
    zh: '设置项无法识别，保留默认值',
  },
  option_entry_dropped: {
    en: 'entry of an option cannot be read, dropped',
    zh: '设置项中的条目无法识别，已去掉',
  },
  option_unknown_kept: {
    en: 'unknown option, stored without effect',
    zh: '未知设置项，已保存但不生效',
  },
  option_not_used: { en: 'option without a counterpart, left out', zh: '没有对应的设置项，未导入' },
  price_expression_unreadable: {
    en: 'price expression cannot be read: the model has no price until you set one',
    zh: '无法读取价格表达式：设置价格之前，该模型没有价格',
  },
  trade_number_suffixed: {
    en: 'trade number missing or taken, changed',
    zh: '订单号为空或重复，已更改',
  },
  method_unknown: { en: 'no payment method: unknown', zh: '没有支付方式：记为 unknown' },
  log_type_changed: {
    en: 'log type changed to the nearest of ours',
    zh: '日志类型已改为最接近的类型',
  },
  rows_summed: { en: 'rows of the same hour summed', zh: '同一小时的多行已合并' },
  owner_missing: { en: 'its user does not exist', zh: '所属用户不存在' },
  factor_inactive: { en: 'not confirmed or deleted, left out', zh: '未启用或已删除，未导入' },
  factor_unusable: {
    en: 'cannot be used at ServerAddress or cannot be read, left out',
    zh: '无法在 ServerAddress 使用或无法识别，未导入',
  },
  task_ended: {
    en: 'unfinished for more than a day, ended without a refund',
    zh: '超过一天未完成，已结束且不退款',
  },
  column_left_out: { en: 'column left out', zh: '列未导入' },
  amount_rounded: {
    en: 'rounded to the nearest unit of quota',
    zh: '金额已四舍五入到最小的额度单位',
  },
  deleted_there: { en: 'deleted there, left out', zh: '在旧站点已删除，未导入' },
  account_without_key: {
    en: 'account without an API key or of a vendor that is not supported, left out',
    zh: '没有 API 密钥或供应商不受支持的账号，未导入',
  },
  models_unknown: {
    en: 'names no models and had no requests: give the channel its models',
    zh: '没有模型列表，也没有请求记录：请为渠道填写模型',
  },
  model_pattern_dropped: {
    en: 'patterns of model names left out of the mapping',
    zh: '模型映射中的通配名称未导入',
  },
  group_closed: {
    en: 'its group is not open to its user here: open the group or change the key, until then it is refused',
    zh: '所在分组在本站不对该用户开放：请开放该分组或修改令牌，在此之前请求会被拒绝',
  },
  blocked_addresses_disabled: {
    en: 'has blocked addresses, which there are not here: disabled',
    zh: '设有禁止的 IP，本站没有此功能：已停用',
  },
  limit_becomes_budget: { en: 'limit, now a budget', zh: '限额，已改为预算' },
  code_kind_left_out: {
    en: 'code that adds to no balance, left out',
    zh: '不增加余额的兑换码，未导入',
  },
  subscription_granted: {
    en: 'subscription: what it still allows was added to the balance',
    zh: '订阅：剩余可用额度已加到余额',
  },
  subscription_ended: { en: 'subscription that has ended, left out', zh: '已结束的订阅，未导入' },
  subscription_unlimited: {
    en: 'subscription without a limit, left out: settle it with its owner',
    zh: '没有限额的订阅，未导入：请与用户结清',
  },
  subscription_missing_disabled: {
    en: 'key of a group whose subscription its user does not have, disabled',
    zh: '用户没有该分组的有效订阅，密钥已停用',
  },
  model_pattern_left_out: {
    en: 'pattern of model names left out: give the channel the names',
    zh: '渠道的通配模型名未导入：请填写具体名称',
  },
  parameters_unused: {
    en: 'extra parameters that the old program did not send either, left out',
    zh: '旧程序也不会发送的额外参数，未导入',
  },
  token_setting_left_out: {
    en: 'setting of a token that there is not here, left out',
    zh: '本站没有的令牌设置，未导入',
  },
  group_disabled: {
    en: 'group that was disabled, so its requests were refused: here they are served where a channel has it',
    zh: '已停用的分组：旧站点拒绝其请求，本站只要有渠道属于该分组就会处理',
  },
  group_promotion: {
    en: 'group that users came into by what they paid: here an administrator changes the group',
    zh: '按充值金额自动升级的分组：本站需由管理员调整用户分组',
  },
  price_pattern: {
    en: 'price of a pattern, set for the names that channels have today',
    zh: '通配名称的价格，已按渠道现有的模型逐一设置',
  },
  price_assumed: {
    en: 'no price there, so it cost the default of ratio 30, and does here: set its price',
    zh: '旧站点没有价格，按默认倍率 30 计费，本站沿用：请设置价格',
  },
  price_differs: {
    en: 'cost otherwise from channel to channel: the highest price is set',
    zh: '各渠道价格不同：已取最高价',
  },
  price_counted: {
    en: 'images, speech, recordings and videos are counted otherwise here: check the price',
    zh: '图片、语音、录音和视频在本站的计量方式不同：请检查价格',
  },
  price_left_out: {
    en: 'free input with paid output, which no price here says: set its price',
    zh: '输入免费而输出收费，本站无法表示：请设置价格',
  },
  price_part_left_out: {
    en: 'part of a price that there is not here, left out',
    zh: '本站没有的计价项，未导入',
  },
  balance_given: {
    en: 'there are no balances there: everybody gets so many dollars, and budgets limit',
    zh: '来源没有余额：每个用户获得以下美元余额，由预算限制消费',
  },
  group_rate_above_site: {
    en: 'rate of a group above that of the site, which still holds: raise that of the site',
    zh: '分组速率高于全站速率，全站速率仍生效：请调高全站速率',
  },
  channel_key_missing: {
    en: 'its key cannot be read or is nowhere written: the channel is disabled',
    zh: '密钥无法读取或不在配置中：渠道已停用',
  },
  key_of_nobody: {
    en: 'key without a user or team that exists: the root user has it now',
    zh: '没有所属用户或团队的密钥：现归超级管理员所有',
  },
  limit_left_out: { en: 'limit that cannot be read, left out', zh: '无法识别的限额，未导入' },
  member_limit_left_out: {
    en: 'limit of a team member who has not exactly one key there, left out (number of keys)',
    zh: '团队成员在该团队中有多个密钥或没有密钥，限额未导入（数字为密钥个数）',
  },
  limit_period_changed: {
    en: 'period that there is not here: the next shorter one, with its part of the amount',
    zh: '本站没有的周期：改用较短的周期，额度按比例折算',
  },
  parameters_left_out: {
    en: 'settings of a deployment without a counterpart, left out',
    zh: '部署中没有对应项的设置，未导入',
  },
  team_model_left_out: {
    en: 'model of one team alone, left out',
    zh: '仅供某个团队使用的模型，未导入',
  },
};
