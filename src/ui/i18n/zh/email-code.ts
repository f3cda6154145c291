export const emailCode = {
  'emailCode.email': '邮箱',
  'emailCode.missing': '请输入邮箱',
  'emailCode.code': '验证码',
  'emailCode.code.hint': '6 位数字，10 分钟内有效',
  'emailCode.code.missing': '请输入验证码',
  'emailCode.get': '获取验证码',
  'emailCode.sent': '验证码已发送到 {{email}}，请查收邮件',
  'emailCode.failed': '验证码发送失败，请稍后重试',
} as const;
