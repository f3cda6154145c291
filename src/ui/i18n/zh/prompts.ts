/** Texts of the kept prompts of the playgrounds. */
export const prompts = {
  'prompts.hint': '点一条即可插入。提示词加密保存在服务器上，换设备也能用。',
  'prompts.empty': '还没有保存提示词',
  'prompts.empty.text': '把常用的提示词存下来，随时插入。',
  'prompts.failed': '提示词加载失败',
  'prompts.new': '新建提示词',
  'prompts.keep': '保存当前输入',
  'prompts.edit': '编辑提示词',
  'prompts.edit.name': '编辑“{{name}}”',
  'prompts.delete.name': '删除“{{name}}”',
  'prompts.delete.title': '删除这条提示词？',
  'prompts.delete.text': '删除“{{name}}”，无法恢复。',
  'prompts.delete.confirm': '删除提示词',
  'prompts.name': '名称',
  'prompts.text': '内容',
  'prompts.missing': '请填写',
  'prompts.tooLong': '最多 {{max}} 个字符',
} as const;
