export const chatRedirect = {
  'redirect.title': '打开对话',
  'redirect.waiting': '正在跳转',
  'redirect.noToken': '当前没有可用的启用令牌，请确认是否有令牌处于启用状态',
  'redirect.parse': '聊天链接配置无法解析',
  'redirect.missing': '没有这个对话应用',
  'redirect.missing.text': '管理员没有设置它，或设置的地址不能打开。',
  'redirect.tokens': '前往 API 令牌',
  'redirect.app': '打开 {{name}}',
  'redirect.app.text': '{{name}} 是本机的应用。点击后浏览器会询问是否打开它。',
} as const;
