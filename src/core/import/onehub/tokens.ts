/** Tokens of one-hub (model/token.go, 2026-02-20): their key is what clients send behind `sk-`. */
import { isObject, parseObject } from '../../kernel/json.ts';
import { toTrimmed } from '../convert.ts';
import type { DraftRow, TableMapping } from '../mapping/mapping.ts';
import { tokensMapping } from '../mapping/tokens.ts';
import type { OldSite } from './old-site.ts';

type Part = Readonly<Record<string, unknown>>;

const partOf = (part: Part, name: string): Part => {
  const value = part[name];
  return isObject(value) ? value : {};
};
const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];

export const tokensFrom = ({ groups, homes }: OldSite): TableMapping => ({
  ...tokensMapping,
  alsoRead: ['setting', 'backup_group'],
  refine(context, notes) {
    const finish = tokensMapping.refine?.(context, notes);
    const open = new Set(
      groups.filter(({ isPublic, isEnabled }) => isPublic && isEnabled).map(({ symbol }) => symbol),
    );
    return (draft, source) => {
      const named = `${draft['id']} ${draft['name']}`;
      const setting: Part = parseObject(toTrimmed(source['setting'])) ?? {};
      const limits = partOf(setting, 'limits');
      // Releases before October 2025 have the models' limit in its place.
      const models =
        'limit_model_setting' in limits ? partOf(limits, 'limit_model_setting') : limits;
      const addresses = partOf(limits, 'limits_ip_setting');
      const backup = toTrimmed(source['backup_group']);
      const group = String(draft['group']);
      const row: DraftRow = {
        ...draft,
        // Without a group of its own, a token is in its second one.
        group: group || backup,
        model_limits_enabled: models['enabled'] === true ? 1 : 0,
        model_limits: models['enabled'] === true ? textsOf(models['models']).join(',') : '',
        allow_ips: addresses['enabled'] === true ? textsOf(addresses['whitelist']).join('\n') : '',
      };
      const leftOut = (part: string) => notes.add('token_setting_left_out', `${named}: ${part}`);
      if (group !== '' && backup !== '') leftOut(`backup_group ${backup}`);
      if (partOf(setting, 'heartbeat')['enabled'] === true) leftOut('heartbeat');
      const tag = setting['billing_tag'];
      if (typeof tag === 'string' && tag !== '') leftOut(`billing_tag ${tag}`);
      const used = String(row['group']);
      const isOpen = used === '' || open.has(used) || used === homes.get(Number(row['user_id']));
      if (row['deleted_at'] === null && !isOpen) notes.add('group_closed', `${named}: ${used}`);
      return finish?.(row, source) ?? null;
    };
  },
});
