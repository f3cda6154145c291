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
  'mail.way': '{site}：{change}',
  'mail.way.body':
    '<p>{name}，你好：</p><p>你在 {site} 的账号有变动：<strong>{change}</strong>。</p><p>时间：{time}（UTC）<br>操作者：{by}[<br>IP 地址：{ip}]</p><p>如果是你本人操作，无需处理。</p>[<p>如果不是你本人操作，请立即打开：<a href="{link}">这不是我</a>。打开后确认，就会撤销这次变动，退出所有登录，停用密码和系统访问令牌，并给你发送重置密码的邮件。</p><p>如果链接无法点击，请复制到浏览器中打开：<br>{link}</p><p>链接 {days} 天内有效，只能使用一次。</p>][<p>{advice}</p>]',
  // What changed, who did it, and what to do where there is no link.
  'account.change.password': '密码已修改',
  'account.change.email': '邮箱已更换',
  'account.change.phone': '已绑定手机号',
  'account.change.phone.removed': '已解绑手机号',
  'account.change.identity': '已绑定 {provider} 账号',
  'account.change.identity.removed': '已解绑 {provider} 账号',
  'account.change.totp': '已启用身份验证器应用',
  'account.change.totp.removed': '已移除身份验证器应用',
  'account.change.passkey': '已添加通行密钥',
  'account.change.passkey.removed': '已移除通行密钥',
  'account.change.recovery_codes': '已生成新的恢复码',
  'account.change.factors': '已移除全部两步验证方式',
  'account.change.system_token': '已生成新的系统访问令牌',
  'account.change.account': '账号已注销',
  'account.by.self': '你的账号',
  'account.by.admin': '管理员 {admin}',
  'account.by.operator': '有权操作服务器的人',
  'account.by.link': '使用了邮件中重置密码链接的人',
  'account.advice': '如果不是你本人操作，请立即修改密码，并联系管理员。',
  'account.advice.deleted': '如果不是你本人操作，请立即联系管理员。',
} as const;
