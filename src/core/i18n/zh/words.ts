import type { RuleKey } from '../../options/index.ts';

/** Why an option's value is rejected. */
export const rules = {
  'rule.boolean': '只能是 true 或 false',
  'rule.integer': '必须是整数',
  'rule.decimal': '[{path} ]必须是数字',
  'rule.min': '不能小于 {min}',
  'rule.max': '[{path} ]不能大于 {max}',
  'rule.above': '必须大于 {min}',
  'rule.tooLong': '内容过长',
  'rule.json': '不是有效的 JSON 字符串[（第 {line} 行第 {column} 列）]',
  'rule.shape': '[{path} ]的格式错误',
  'rule.choice': '不是允许的值[，可选：{choices}]',
  'rule.url': '必须以 http:// 或 https:// 开头',
  'rule.https': '必须是不带参数的 https 地址',
  'rule.notNegative': '[{path} ]不能为负数',
  'rule.positive': '[{path} ]必须大于 0',
  'rule.discount': '[{path} ]必须大于 0 且不超过 1',
  'rule.chatLink': '[{path} ]不是允许的链接',
  'rule.bytes32': '长度必须正好是 32 字节',
  'rule.privateKey': '不是 RSA 私钥',
  'rule.publicKey': '不是 RSA 公钥或证书',
  'rule.prefix': '必须是 +86 这样的国家码',
  'rule.headerText': '必须是合法的请求头名称和值，不能换行',
} as const satisfies Record<RuleKey, string>;

/** Texts that the server stores or sends, in the site's language. */
export const logs = {
  'log.amount_currency': '{amount} 额度',
  'log.amount_points': '{amount} 点额度',
  'log.new_user': '新用户注册，赠送 {quota}',
  'log.invitee': '使用邀请码注册，赠送 {quota}',
  'log.inviter': '邀请新用户，获得 {quota}',
  'log.quota_changed': '管理员将额度从 {from} 改为 {to}',
  'log.granted': '管理员充值 {quota}[，备注：{remark}]',
  'log.redeemed': '使用兑换码，充值 {quota}[，兑换码编号 {id}]',
  'log.topped_up': '在线充值 {quota}[，支付 {money} 元]',
  'log.transferred': '邀请收益划转 {quota} 到余额',
  'log.refunded': '任务失败，退还 {quota}[，任务 {task}]',
  'log.model_test': '模型测试',
  'log.images': '{count} 张图片，大小 {size}[，品质 {quality}]',
  'log.pruned': '清理了[ {before} 之前的] {count} 条日志',
  'order.goods_name': '{money} 元令牌充值套餐',
  'notice.payment_mismatch': '支付金额与订单不符',
  'notice.payment_mismatch.content': '订单 {order}：实付 {paid} 元，应付 {due} 元，未充值',
} as const;

/** Messages and names in replies of the API. */
export const replies = {
  'reply.set_up': '初始化完成',
  'reply.running': '服务运行正常',
  'reply.ratios_reset': '模型倍率已重置',
  'reply.transferred': '划转成功',
  'reply.settings_updated': '设置已更新',
  'reply.code_sent': '验证码已发送',
  'reply.reset_sent': '如果该邮箱已注册，重置链接已发送到邮箱',
  'reply.test_notice_sent': '测试通知已发送',
  'group.own': '用户分组',
  'account.of_provider': '{provider} 用户',
  'rule.provider.wechat': '微信',
  'task.not_submitted': '任务未能提交到上游',
  'task.timed_out': '上游任务超时（超过 {hours} 小时）',
  'task.channel_gone': '任务所属渠道 {channel} 已不存在',
  'task.key_refused': '上游不再接受提交该任务的密钥',
  'task.lost': '上游已查不到该任务',
  'token.first': '{name}的初始令牌',
} as const;
