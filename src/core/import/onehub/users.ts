/** Users of one-hub (model/user.go, common/config/constants.go, 2026-02-20). */
import { toInteger } from '../convert.ts';
import type { TableMapping } from '../mapping/mapping.ts';
import { usersMapping } from '../mapping/users.ts';

/** Staff who may do what users may, and label tokens. */
const reliableUser = 3;
const user = 1;

export const usersOfOneHub: TableMapping = {
  ...usersMapping,
  columns: { ...usersMapping.columns, created_at: { from: 'created_time', as: 'integer' } },
  alsoRead: [...usersMapping.alsoRead, 'github_id_new'],
  refine(context, notes) {
    const finish = usersMapping.refine?.(context, notes);
    return (draft, source) => {
      const github = toInteger(source['github_id_new']);
      return (
        finish?.(
          { ...draft, role: draft['role'] === reliableUser ? user : Number(draft['role']) },
          {
            ...source,
            // Numbers; 0: none.
            telegram_id: toInteger(source['telegram_id']) || '',
            github_id: github || source['github_id'],
          },
        ) ?? null
      );
    };
  },
};
