import { maxAmount } from '../kernel/quota.ts';
import { defineFields } from './field.ts';

/** A code that adds quota to the account of the first user who redeems it. */
export const redemptionFields = defineFields({
  id: { kind: 'integer', generated: true, label: { en: 'id', zh: '编号' } },
  /** The user who created it. */
  user_id: { kind: 'integer', default: 0 },
  /**
   * 32 hexadecimal characters. Encrypted in the database; shown whole to administrators, who hand
   * it out.
   */
  key: { kind: 'secret', label: { en: 'code', zh: '兑换码' } },
  status: { kind: 'integer', default: 1, label: { en: 'status', zh: '状态' } },
  name: {
    kind: 'text',
    default: '',
    trim: true,
    limits: { min: 1, max: 20, error: 'code_name_invalid' },
    // A new code without a name gets its formatted quota.
    input: { emptyKeeps: ['create'] },
    label: { en: 'name', zh: '名称' },
    help: {
      en: 'Name of the codes (default: the formatted quota)',
      zh: '名称（默认为格式化后的额度）',
    },
  },
  quota: {
    kind: 'quota',
    default: 100,
    limits: { min: 0, max: maxAmount, error: 'code_quota_invalid' },
    input: { default: 100_000 },
    label: { en: 'quota', zh: '额度' },
    help: { en: 'Quota per code', zh: '每个兑换码的额度' },
  },
  /** The code can be redeemed before this second. */
  expired_time: {
    kind: 'time',
    never: 0,
    default: 0,
    input: {},
    flag: 'expires',
    label: { en: 'expires', zh: '到期' },
    help: { en: 'Expiry time (default: never)', zh: '过期时间（默认永不过期）' },
  },
  created_time: { kind: 'time', default: 0, label: { en: 'created', zh: '创建时间' } },
  /** 0 until it is used. */
  redeemed_time: { kind: 'time', default: 0, label: { en: 'redeemed', zh: '兑换时间' } },
  used_user_id: { kind: 'integer', default: 0, label: { en: 'redeemed by', zh: '兑换人' } },
  DeletedAt: { kind: 'instant', column: 'deleted_at', nullable: true },
});
