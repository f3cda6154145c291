import type * as zh from '../zh/words.ts';

export const rules = {
  'rule.boolean': 'must be true or false',
  'rule.integer': 'must be a whole number',
  'rule.decimal': '[{path} ]must be a number',
  'rule.min': 'must be at least {min}',
  'rule.max': '[{path} ]must not be above {max}',
  'rule.above': 'must be above {min}',
  'rule.tooLong': 'is too long',
  'rule.json': 'is not a valid JSON string[ (line {line}, column {column})]',
  'rule.shape': '[{path} ]has the wrong format',
  'rule.choice': 'is not one of the allowed values[: {choices}]',
  'rule.url': 'must start with http:// or https://',
  'rule.link': 'must start with http:// or https://, without username and password',
  'rule.picture': 'must be the address of a picture: http(s), a path of this site, or data:image',
  'rule.ownName': 'must not have an entry named __proto__',
  'rule.https': 'must be an https address without a query',
  'rule.notNegative': '[{path} ]must not be negative',
  'rule.positive': '[{path} ]must be above 0',
  'rule.discount': '[{path} ]must be above 0 and at most 1',
  'rule.chatLink': '[{path} ]is not an allowed link',
  'rule.bytes32': 'must be exactly 32 bytes',
  'rule.privateKey': 'is not an RSA private key',
  'rule.ed25519': 'is not an Ed25519 public key: 32 bytes in base64',
  'rule.publicKey': 'is not an RSA public key or certificate',
  'rule.prefix': 'must be a country code such as +86',
  'rule.headerText': 'must be valid names and values of HTTP headers, without line breaks',
} satisfies Record<keyof typeof zh.rules, string>;

export const logs = {
  'log.amount_currency': '{amount} of quota',
  'log.amount_points': '{amount} points of quota',
  'log.new_user': 'New user, granted {quota}',
  'log.invitee': 'Registered with an invite code, granted {quota}',
  'log.inviter': 'Invited a new user, earned {quota}',
  'log.quota_changed': 'An administrator changed the quota from {from} to {to}',
  'log.granted': 'An administrator added {quota}[; {remark}]',
  'log.redeemed': 'Redeemed a code for {quota}[; code {id}]',
  'log.topped_up': 'Topped up {quota} online[; paid {money} yuan]',
  'log.payment_refunded': 'Order {order}: {money} yuan were paid back, {quota} taken back',
  'log.refund_reversed':
    'Order {order}: the refund of {money} yuan was closed at the provider, {quota} given back',
  'log.transferred': 'Transferred {quota} of invite earnings to the balance',
  'log.partly_refunded': 'Less was made than ordered, {quota} refunded[; task {task}]',
  'log.refunded': 'Task failed, {quota} refunded[; task {task}]',
  'log.model_test': 'Model test',
  'log.images': 'Images: {count}, size {size}[, quality {quality}]',
  'log.pruned': 'Deleted {count} log rows[ from before {before}]',
  'order.goods_name': '{money} yuan token top-up package',
  'notice.payment_mismatch': 'A payment differs from its order',
  'notice.payment_mismatch.content':
    'Order {order}: {paid} yuan were paid, {due} yuan are due. This notice credited nothing',
  'notice.payment_without_account': 'A payment has no account',
  'notice.payment_without_account.content':
    'Order {order}: {paid} yuan were paid, but its account was deleted. Pay them back at the provider',
  'notice.payment_refund': 'A top-up was paid back',
  'notice.payment_refund.debt': '{text}. The balance of {user} is now a debt',
  'notice.payment_refund.uncredited':
    'Order {order} was paid back[ ({money} yuan)] before it was credited; it is closed',
  'notice.payment_refund.without_account':
    'Order {order}: {money} yuan were paid back; its account was deleted before',
  'notice.refund_failed': 'A refund failed at the provider',
  'notice.refund_failed.content':
    'Order {order}: the refund of {money} yuan did not reach the payer. Finish it at the provider',
} satisfies Record<keyof typeof zh.logs, string>;

export const replies = {
  'reply.set_up': 'Initialised',
  'reply.running': 'Server is running',
  'reply.ratios_reset': 'Model ratios reset',
  'reply.transferred': 'Transferred',
  'reply.settings_updated': 'Settings updated',
  'reply.code_sent': 'A verification code is on its way',
  'reply.reset_sent': 'If an account has this address, an email with a reset link is on its way',
  'reply.test_notice_sent': 'The test notice was sent',
  'group.own': 'User group',
  'account.of_provider': '{provider} user',
  'rule.provider.wechat': 'WeChat',
  'task.made_less': 'less was made than ordered',
  'task.not_submitted': 'The task was never accepted by its provider',
  'task.timed_out': 'The provider did not finish the task within {hours} h',
  'task.channel_gone': 'Channel {channel} of this task no longer exists',
  'task.key_refused': 'The provider no longer accepts the key that submitted this task',
  'task.lost': 'The provider no longer knows this task',
  'model.thinks': 'Thinks before it answers, with efforts from {least} to {most}.',
  'token.first': "{name}'s initial token",
} satisfies Record<keyof typeof zh.replies, string>;

/** A form is saved over what others have saved meanwhile (docs/rules/console.md#overwriting). */
export const overwriting = {
  'form.overwrite.title': '{count} {count:field was|fields were} changed meanwhile',
  'form.overwrite.text':
    'Somebody else, or you in another tab, has saved other values since you began. Saving overwrites them.',
  'form.overwrite.now': 'Now',
  'form.overwrite.mine': 'To be saved',
  'form.overwrite.secret': 'secrets are not shown',
  'form.overwrite.empty': 'empty',
  'form.overwrite.on': 'on',
  'form.overwrite.off': 'off',
  'form.overwrite.joint': ', ',
  'form.overwrite.lost': 'No reply came, so it may have been done all the same.',
  'form.overwrite.again': 'Do it again?',
  'form.overwrite.again.text':
    'No reply came to the last attempt. Check first whether it was done.',
  'form.overwrite.again.confirm': 'Do it again',
  'form.overwrite.confirm': 'Save anyway',
} satisfies Record<keyof typeof zh.overwriting, string>;
