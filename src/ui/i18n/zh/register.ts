export const register = {
  'register.title': '注册 {{name}}',
  'register.name.hint': '建议不超过 12 个字符',
  'register.password.hint': '8–20 位',
  'register.invited': '你受邀注册，邀请码 {{code}}',
  'register.submit': '注册',
  'register.failed': '注册失败，请稍后重试',
  'register.done': '注册成功',
  'register.done.logIn': '注册成功，请登录',
  'register.closed': '本站目前不开放注册。',
  'register.hasAccount': '已有账号？',
  'register.logIn': '登录',
} as const;
