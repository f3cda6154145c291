import type { contentOptions } from '../../options/registry/content.ts';
import type { drawingOptions } from '../../options/registry/drawing.ts';
import type { limitOptions } from '../../options/registry/limits.ts';
import type { modelOptions } from '../../options/registry/models.ts';
import type { monitoringOptions } from '../../options/registry/monitoring.ts';
import type { pricingOptions } from '../../options/registry/pricing.ts';
import type { quotaOptions } from '../../options/registry/quota.ts';
import type { sensitiveOptions } from '../../options/registry/sensitive.ts';
import type { systemOptions } from '../../options/registry/system.ts';

type Key =
  | keyof typeof systemOptions
  | keyof typeof quotaOptions
  | keyof typeof pricingOptions
  | keyof typeof monitoringOptions
  | keyof typeof limitOptions
  | keyof typeof modelOptions
  | keyof typeof sensitiveOptions
  | keyof typeof contentOptions
  | keyof typeof drawingOptions;

/** Labels of options, and hints where the label alone is not clear enough. */
export const siteOptionWords = {
  'option.ServerAddress.label': '服务器地址',
  'option.ServerAddress.hint': '用户访问本站的地址，用于链接、邮件和回调',
  'option.SiteLanguage.label': '站点语言',
  'option.SiteLanguage.hint':
    '用于未指定语言的接口报错、日志文字、邮件和通知；控制台语言由用户自行切换',
  'option.general_setting.docs_link.label': '文档链接',
  'option.general_setting.docs_link.hint': '留空则不显示“文档”入口',
  'option.DefaultCollapseSidebar.label': '默认收起侧栏',
  'option.DemoSiteEnabled.label': '演示站点',
  'option.DemoSiteEnabled.hint': '只能查看，不能修改',
  'option.SelfUseModeEnabled.label': '自用模式',
  'option.SelfUseModeEnabled.hint': '不显示注册，未定价的模型按倍率 37.5（每百万 $75）计费',
  'option.WorkerUrl.label': 'Worker 地址',
  'option.WorkerUrl.hint': '通过它下载上游文件、发送 Webhook 通知',
  'option.WorkerValidKey.label': 'Worker 密钥',
  'option.FileUploadPermission.label': '文件上传权限',
  'option.FileDownloadPermission.label': '文件下载权限',
  'option.ImageUploadPermission.label': '图片上传权限',
  'option.ImageDownloadPermission.label': '图片下载权限',
  'option.QuotaPerUnit.label': '单位额度',
  'option.QuotaPerUnit.hint': '一个货币单位等于多少额度。修改后，所有余额的价值都会改变',
  'option.DisplayInCurrencyEnabled.label': '以货币显示额度',
  'option.DisplayTokenStatEnabled.label': '账单接口显示令牌额度',
  'option.DisplayTokenStatEnabled.hint': '关闭则显示用户额度',
  'option.QuotaForNewUser.label': '新用户初始额度',
  'option.QuotaForInviter.label': '邀请人奖励额度',
  'option.QuotaForInvitee.label': '被邀请人赠送额度',
  'option.QuotaRemindThreshold.label': '额度提醒阈值',
  'option.QuotaRemindThreshold.hint': '余额低于它时提醒，用户可另设',
  'option.PreConsumedQuota.label': '请求预扣额度',
  'option.PreConsumedQuota.hint':
    '单位为 token：每个请求至少按这么多 token 预扣，额度不足则不予受理；结算时多退少补',
  'option.ModelRatio.label': '模型倍率',
  'option.ModelRatio.hint': '每百万 token 的价格 = 倍率 × 2 × 分组倍率',
  'option.ModelPrice.label': '模型固定价格',
  'option.ModelPrice.hint': '每次调用的价格，优先于倍率',
  'option.CompletionRatio.label': '补全倍率',
  'option.CompletionRatio.hint': '输出价格是输入价格的几倍；设置后优先于内置规则',
  'option.CacheRatio.label': '缓存倍率',
  'option.CacheRatio.hint': '缓存命中的输入按几倍计费，未设置时为 1',
  'option.CreateCacheRatio.label': '缓存写入倍率',
  'option.CreateCacheRatio.hint': '未设置时为 1.25；较长时效的缓存再乘 1.6，厂商另有公布的除外',
  'option.AudioRatio.label': '音频倍率',
  'option.AudioRatio.hint': '音频 token 的价格是文本的几倍',
  'option.AudioCompletionRatio.label': '音频补全倍率',
  'option.AudioCompletionRatio.hint': '音频输出的价格是音频输入的几倍',
  'option.ImageRatio.label': '图片倍率',
  'option.ImageRatio.hint': '图片 token 的价格是文本的几倍',
  'option.ModelPriceDetails.label': '阶梯、等级与工具价格',
  'option.ModelPriceDetails.hint':
    '模型 → steps、factors、longCacheWrite、cachedAudio、thinking、tools，例如 {"my-model":{"steps":[{"above":272000,"input":2,"output":1.5}],"factors":{"priority":2},"longCacheWrite":2,"tools":{"web_search":0.01}}}。未写的部分按厂商公布的价格',
  'option.VideoRatios.label': '视频倍率',
  'option.VideoRatios.hint':
    '模型 → 分辨率 → 倍率，例如 {"wan2.5-t2v-preview":{"480P":1,"720P":2}}。此类模型的价格按秒计；模型名可以 * 结尾。其他模型按每个视频计价',
  'option.GroupRatio.label': '分组倍率',
  'option.GroupRatio.hint': '分组移除后，其用户按倍率 1 计费',
  'option.GroupGroupRatio.label': '分组特殊倍率',
  'option.GroupGroupRatio.hint': '用户所在分组 → 使用的分组 → 倍率，代替分组倍率',
  'option.UserUsableGroups.label': '用户可选分组',
  'option.UserUsableGroups.hint': '分组 → 说明',
  'option.RetryTimes.label': '失败重试次数',
  'option.ChannelDisableThreshold.label': '渠道响应时间上限',
  'option.ChannelDisableThreshold.hint': '秒；测试耗时超过上限即视为失败，0 为不限',
  'option.AutomaticDisableChannelEnabled.label': '失败时自动停用渠道',
  'option.AutomaticEnableChannelEnabled.label': '恢复后自动启用渠道',
  'option.monitor_setting.auto_test_channel_enabled.label': '定时测试渠道',
  'option.monitor_setting.auto_test_channel_enabled.hint':
    '按下面的间隔测试所有未被手动停用的渠道；环境变量 CHANNEL_TEST_FREQUENCY 优先',
  'option.monitor_setting.auto_test_channel_minutes.label': '定时测试间隔（分钟）',
  'option.AutomaticDisableKeywords.label': '自动停用关键词',
  'option.AutomaticDisableKeywords.hint': '一行一个，上游错误中包含任一关键词即停用渠道',
  'option.LogConsumeEnabled.label': '记录消费日志',
  'option.ErrorLogEnabled.label': '记录失败请求',
  'option.ErrorLogEnabled.hint': '每分钟每个用户最多 30 行，全站最多 300 行',
  'option.ledger.seal_url.label': '封存地址',
  'option.ledger.seal_url.hint':
    '每小时将账本的最新链接值发送到此地址，日后可据此证明账目是否被改动',
  'option.ledger.seal_secret.label': '封存密钥',
  'option.AuditLogDays.label': '审计日志保留天数',
  'option.AuditLogDays.hint': '单位为天，0 表示永久保留',
  'option.DataExportEnabled.label': '数据看板',
  'option.DataExportInterval.label': '看板更新间隔',
  'option.DataExportInterval.hint': '分钟',
  'option.DataExportDefaultTime.label': '看板默认粒度',
  'option.ModelRequestRateLimitEnabled.label': '限制模型请求速率',
  'option.ModelRequestRateLimitDurationMinutes.label': '限制周期',
  'option.ModelRequestRateLimitDurationMinutes.hint': '分钟',
  'option.ModelRequestRateLimitCount.label': '周期内请求总数',
  'option.ModelRequestRateLimitCount.hint': '包括失败的，0 为不限',
  'option.ModelRequestRateLimitSuccessCount.label': '周期内成功次数',
  'option.global.pass_through_request_enabled.label': '请求透传',
  'option.global.pass_through_request_enabled.hint': '请求体原样发往上游，不做转换',
  'option.general_setting.ping_interval_enabled.label': '流式保活',
  'option.general_setting.ping_interval_seconds.label': '保活间隔',
  'option.general_setting.ping_interval_seconds.hint': '秒',
  'option.global.stored_responses_days.label': '响应保留天数',
  'option.global.stored_responses_days.hint':
    '使用 Responses 接口的客户端可凭响应 ID 在任意渠道上接续。0：不保留内容，只能在供应商保存了该响应的渠道上接续',
  'option.global.stored_responses_mb.label': '每位用户保存的响应上限（MB）',
  'option.global.stored_responses_mb.hint': '超出后只保存编号，不保存内容；0 表示不限',
  'option.global.thinking_minutes.label': '思考保留时长',
  'option.global.thinking_minutes.hint': '分钟，0 为不保留',
  'option.channel_affinity_setting.enabled.label': '会话固定渠道',
  'option.channel_affinity_setting.enabled.hint': '同一会话回到已缓存其提示词的渠道',
  'option.channel_affinity_setting.switch_on_success.label': '切换到成功的渠道',
  'option.channel_affinity_setting.switch_on_success.hint': '原渠道失败后，改为记住成功的渠道',
  'option.channel_affinity_setting.max_entries.label': '记住的会话数',
  'option.channel_affinity_setting.default_ttl_seconds.label': '记住时长',
  'option.channel_affinity_setting.default_ttl_seconds.hint': '秒，从最近一次请求算起',
  'option.CheckSensitiveEnabled.label': '检查敏感词',
  'option.CheckSensitiveOnPromptEnabled.label': '检查提示词',
  'option.SensitiveWords.label': '敏感词',
  'option.SensitiveWords.hint': '一行一个，不区分大小写',
  'option.StopOnSensitiveEnabled.label': '遇到敏感词时停止输出',
  'option.StreamCacheQueueLength.label': '流式缓存长度',
  'option.StreamCacheQueueLength.hint': '仅为导入的站点保留：回复不做检查，因此无需缓存',
  'option.SystemName.label': '系统名称',
  'option.Logo.label': 'Logo 地址',
  'option.Footer.label': '页脚',
  'option.Notice.label': '公告',
  'option.Notice.hint': '支持 Markdown 和 HTML',
  'option.HomePageContent.label': '首页内容',
  'option.HomePageContent.hint': 'Markdown、HTML，或一个要嵌入的网址',
  'option.About.label': '关于',
  'option.About.hint': 'Markdown、HTML，或一个要嵌入的网址',
  'option.Chats.label': '聊天预设',
  'option.Chats.hint': '名称 → 链接，{key} 和 {address} 会被替换',
  'option.ChatLink.label': '聊天链接',
  'option.ChatLink2.label': '聊天链接 2',
  'option.ChatLink2.hint': '/chat2link 跳转到的 ChatGPT Next Web 地址，令牌和本站地址会附在后面。',
  'option.DrawingEnabled.label': '启用绘图',
  'option.TaskEnabled.label': '启用任务',
  'option.MjNotifyEnabled.label': '允许绘图回调',
  'option.MjAccountFilterEnabled.label': '允许 accountFilter 参数',
  'option.MjModeClearEnabled.label': '去掉 --fast、--relax、--turbo',
  'option.MjForwardUrlEnabled.label': '转发图片地址',
  'option.MjActionCheckSuccessEnabled.label': '后续操作要求任务已完成',
} as const satisfies Record<`option.${Key}.label`, string> &
  Partial<Record<`option.${Key}.hint`, string>>;
