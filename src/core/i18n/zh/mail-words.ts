/** E-mails to users: subjects, and bodies as HTML whose values are escaped. */
export const mails = {
  'mail.code': '{site} 邮箱验证码',
  'mail.code.body':
    '<p>你好，你正在验证 {site} 的邮箱。</p><p>验证码：<strong>{code}</strong></p><p>验证码 {minutes} 分钟内有效，只能使用一次。如果不是你本人操作，请忽略这封邮件。</p>',
  'mail.has_account': '你在 {site} 已有账号',
  'mail.has_account.body':
    '<p>你好，有人在 {site} 申请用这个邮箱注册，但这个邮箱已有账号。</p><p>你可以直接登录；忘记密码时，可以在登录页重置。如果不是你本人操作，请忽略这封邮件。</p>',
  'mail.reset': '重置 {site} 的密码',
  'mail.reset.body':
    '<p>你好，你正在重置 {site} 的密码。</p><p><a href="{link}">点击这里重置密码</a></p><p>如果链接无法点击，请复制到浏览器中打开：<br>{link}</p><p>链接 {minutes} 分钟内有效，只能使用一次。如果不是你本人操作，请忽略这封邮件，密码不会改变。</p>',
} as const;
