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
  'notice.model_ends': '模型即将下线：{models}',
  'notice.model_ends.line': '{model} 将于 {ends} 下线（渠道：{channels}）[，替代模型：{successor}]',
  'notice.model_ends.content':
    '请将这些模型映射到替代模型，或从渠道中移除。自该日（UTC）起，对它们的请求会失败。',
  'notice.model_stopped': '模型 {model} 已从渠道“{name}”（#{id}）移除',
  'notice.loss_below_cost': '有模型以低于成本的价格出售',
  'notice.loss_unknown_cost': '部分请求的成本未知',
  'notice.loss_balance': '上游余额即将用完',
  'notice.loss_billed_more': '上游扣费多于记录的成本',
  'notice.loss_price': '价格与来源不一致',
  'loss.below_cost': '渠道 {channel} 的 {model}：24 小时收入 {quota}，成本 {cost}',
  'loss.unknown_cost': '渠道 {channel}：最近 24 小时有 {count} 个请求的成本未知（{models}）',
  'loss.balance': '渠道 {channel}：余额 {balance} 将在 {days} 天内用完',
  'loss.billed_more': '渠道 {channel}：{days} 天内余额减少 {billed}，记录的成本为 {booked}',
  'loss.price': '{model}：{price} 为 {site}，{name} 为 {source}',
  'price.below_cost.title': '{count} 个价格低于成本',
  'price.below_cost.text': '售价低于上游的收费：{list}',
  'price.below_cost.confirm': '仍然保存',
  'price.below_cost.line': '{model} {kind}：{price}，渠道 #{channel} 的成本为 {cost}',
  'notice.quota': '{site} 余额不足提醒',
  'notice.quota.content':
    '用户 {name} 的余额为 {balance}，已低于提醒额度 {threshold}。余额用尽后请求会被拒绝，请及时充值。[充值地址：{link}]',
  'notice.test': '{site} 测试通知',
  'notice.test.content': '{name}，你好。收到这条消息，说明通知设置有效。',
  'reason.slow': '响应时间 {time} 秒，超过上限 {limit} 秒',
  'reason.margin': '最近 24 小时的毛利率为 {share} %',
  'reason.balance': '余额不足',
} as const;
