/** Why a rule of a channel is refused on save. */
export const channelRules = {
  'rule.missing': '缺失',
  'rule.text': '必须是文本',
  'rule.path': '不是 messages.0.content 这样的路径',
  'rule.pattern': '不是有效的正则表达式（RE2 语法，不支持反向引用）',
  'rule.header': '不是可以设置或透传的请求头',
  'rule.headerValue': '不能作为请求头的值（调用者的凭据不会透传）',
  'rule.errorStatus': '必须是错误状态码：从 300 到 599 映射到 400 到 599',
  'rule.proxy': '必须是 http、https 或 socks5 地址',
} as const;

/** What the owner is told about channels, and the reasons written beside a channel's status. */
export const notices = {
  'notice.channel_disabled': '通道「{name}」（#{id}）已被禁用',
  'notice.channel_enabled': '通道「{name}」（#{id}）已被启用',
  'notice.reason': '{title}，原因：{reason}',
  'notice.test_finished': '通道测试完成',
  'notice.test_finished.content': '所有通道测试已完成',
  'reason.slow': '响应时间 {time}s 超过阈值 {limit}s',
  'reason.balance': '余额不足',
} as const;
