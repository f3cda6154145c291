/** Choosing and sending an image. */
export const upload = {
  'upload.choose': '选择图片',
  'upload.replace': '更换图片',
  'upload.hint': '也可拖入或粘贴图片。JPEG 或 PNG，最大 {{limit}} MB',
  'upload.sending': '正在上传：{{percent}}%',
  'upload.cancel': '取消上传',
  'upload.remove': '移除图片',
  'upload.preview': '图片预览',
  'upload.broken': '图片无法显示',
  'upload.type': '不支持的图片类型，请使用 JPEG 或 PNG',
  'upload.tooLarge': '文件过大，上限 {{limit}} MB',
} as const;
