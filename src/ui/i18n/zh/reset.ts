export const reset = {
  'reset.title': '重置密码',
  'reset.lead': '输入注册时验证过的邮箱，我们会发送一个重置链接。',
  'reset.email': '邮箱',
  'reset.email.missing': '请输入邮箱',
  'reset.send': '发送重置链接',
  'reset.again': '{{seconds}} 秒后可重试',
  'reset.sent': '如果该邮箱已注册，重置链接已发送到邮箱。链接 10 分钟内有效。',
  'reset.failed': '重置失败，请稍后重试',
  'reset.confirm.lead': '点击后会生成一个新密码，所有设备上的登录都会退出。',
  'reset.confirm': '重置密码',
  'reset.done': '新密码如下，请妥善保存，之后不再显示。',
  'reset.done.copied': '新密码如下，已复制到剪贴板，之后不再显示。',
  'reset.copy': '复制新密码',
  'reset.copied': '已复制',
  'reset.logIn': '去登录',
  'reset.back': '返回登录',
  'reset.newLink': '重新发送链接',
  'notMe.title': '不是你本人操作？',
  'notMe.lead':
    '点击下面的按钮后，这次变动会被撤销，所有设备上的登录都会退出，密码和系统访问令牌不能再用，并会给你发送重置密码的邮件。令牌（API Key）不受影响。',
  'notMe.submit': '不是我，保护我的账号',
  'notMe.done':
    '账号已受到保护。重置密码的邮件已发送，请在 10 分钟内打开其中的链接。登录后请检查账号绑定、两步验证和令牌。',
  'notMe.done.unmailed':
    '账号已受到保护，但重置密码的邮件未能发送。请稍后在登录页重置密码，或联系管理员。',
  'notMe.incomplete': '链接不完整。请完整复制邮件中的链接。',
} as const;
