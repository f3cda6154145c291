/** Why one of a channel's rules is rejected on save. */
export const channelRules = {
  'rule.missing': '缺失',
  'rule.text': '必须是文本',
  'rule.path': '不是 messages.0.content 这样的路径',
  'rule.pattern': '不是有效的正则表达式（RE2 语法，不支持反向引用）',
  'rule.header': '不是可以设置或透传的请求头',
  'rule.headerValue': '不能作为请求头的值（不会透传调用者的凭据）',
  'rule.errorStatus': '只能把 300 到 599 的状态码映射到 400 到 599',
  'rule.proxy': '必须是 http、https 或 socks5 地址',
  'rule.amount': '必须是不小于 0 且不超过 10 亿的数字（汇率须大于 0）',
  'rule.unknown': '不是可用的字段名',
} as const;

/** Notices to the site owner about channels, and the reasons stored with a channel's status. */
export const notices = {
  'notice.channel_disabled': '渠道「{name}」（#{id}）已停用',
  'notice.channel_enabled': '渠道「{name}」（#{id}）已重新启用',
  'notice.reason': '{title}，原因：{reason}',
  'notice.test_finished': '渠道测试完成',
  'notice.test_finished.content': '所有渠道均已测试',
  'notice.models_changed': '模型变动：{count} 项',
  'notice.models_changed.adopted': '{model}：{kind}，已采用',
  'notice.models_changed.waits': '{model}：{kind}，尚未采用',
  'notice.models_changed.new': '新模型',
  'notice.models_changed.price': '价格变动',
  'notice.models_changed.end': '公布下线日期',
  'notice.models_changed.facts': '限制或能力变动',
  'notice.models_changed.gone': '厂商清单中已没有该模型',
  'notice.models_changed.content': '运行 turnpike models sync 可查看变动并采用价格。',
  'notice.model_ends': '模型即将下线：{models}',
  'notice.model_ends.line': '{model} 将于 {ends} 下线（渠道：{channels}）[，替代模型：{successor}]',
  'notice.model_ends.content':
    '请将这些模型映射到替代模型，或从渠道中移除。自该日（UTC）起，对它们的请求会失败。',
  'notice.quota': '{site} 余额不足提醒',
  'notice.quota.content':
    '用户 {name} 的余额为 {balance}，已低于提醒额度 {threshold}。余额用尽后请求会被拒绝，请及时充值。[充值地址：{link}]',
  'notice.budget': '{site}：预算已使用 {percent}%',
  'notice.budget.content':
    '预算“{budget}”已使用 {percent}%，目前消耗额度 {spent} / {limit}。用尽后请求将被拒绝。',
  'notice.budget.warn':
    '预算“{budget}”已使用 {percent}%，目前消耗额度 {spent} / {limit}。该预算仅提醒，不会拒绝请求。',
  'notice.test': '{site} 测试通知',
  'notice.test.content': '{name}，你好。收到这条消息，说明通知设置有效。',
  'reason.slow': '响应时间 {time} 秒，超过上限 {limit} 秒',
  'reason.balance': '余额不足',
} as const;
