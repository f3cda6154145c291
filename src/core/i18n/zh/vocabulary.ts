import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';
import type { LogType } from '../../vocabulary/log-types.ts';
import type { methodByHand, PaymentMethodId } from '../../vocabulary/payment-methods.ts';
import type { RedemptionState } from '../../vocabulary/redemption-state.ts';
import type { Role } from '../../vocabulary/roles.ts';
import type {
  ChannelStatus,
  TokenStatus,
  TopUpStatus,
  UserStatus,
} from '../../vocabulary/statuses.ts';

/** Names of the numeric codes that the API uses. */
export const vocabulary = {
  'status.user.1': '正常',
  'status.user.2': '已封禁',
  'status.user.3': '已注销',
  'status.channel.1': '已启用',
  'status.channel.2': '已停用',
  'status.channel.3': '自动停用',
  'status.token.1': '已启用',
  'status.token.2': '已停用',
  'status.token.3': '已过期',
  'status.token.4': '已用完',
  'status.redemption.1': '未使用',
  'status.redemption.2': '已停用',
  'status.redemption.3': '已使用',
  'status.redemption.4': '已过期',
  'status.topUp.pending': '处理中',
  'status.topUp.success': '成功',
  'status.topUp.failed': '失败',
  'paymentMethod.wechatpay': '微信支付',
  'paymentMethod.alipay': '支付宝',
  'paymentMethod.wxpay': '微信支付',
  'paymentMethod.admin': '管理员补单',
  'role.1': '普通用户',
  'role.10': '管理员',
  'role.100': '超级管理员',
  'role.unknown': '未知角色',
  'logType.0': '未知',
  'logType.1': '充值',
  'logType.2': '消费',
  'logType.3': '管理',
  'logType.4': '系统',
  'logType.5': '错误',
  'logType.6': '退款',
  'ledger.kind.opening': '初始余额',
  'ledger.kind.grant': '赠送',
  'ledger.kind.top_up': '充值',
  'ledger.kind.payment_refund': '充值退款',
  'ledger.kind.redemption': '兑换码',
  'ledger.kind.invite': '邀请奖励',
  'ledger.kind.transfer': '划转',
  'ledger.kind.charge': '消费',
  'ledger.kind.refund': '退款',
  'ledger.kind.adjustment': '调整',
  'ledger.kind.import': '导入',
} as const satisfies Record<
  | `status.user.${UserStatus}`
  | `status.channel.${ChannelStatus}`
  | `status.token.${TokenStatus}`
  | `status.redemption.${RedemptionState}`
  | `status.topUp.${TopUpStatus}`
  | `paymentMethod.${PaymentMethodId | typeof methodByHand}`
  | `role.${Role | 'unknown'}`
  | `logType.${LogType}`
  | `ledger.kind.${LedgerKind}`,
  string
>;
