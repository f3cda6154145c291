import type { processErrors } from '../../../kernel/errors/process.ts';

export const processWords = {
  'error.data_folder_locked':
    '数据目录[ {folder} ]正被另一个进程使用：请等它结束或将其停止，或用 --data-dir 指定其他目录',
  'error.secret_file_damaged':
    '密钥文件[ {path} ]已损坏，请从备份恢复；没有它就无法读取已保存的供应商密钥和登录会话',
  'error.site_key_missing':
    '无法解密已保存的密钥[：缺少 {file}]。请放回写入该数据库时所用的 secret.json（或 CRYPTO_SECRET）；旧文件可能在 snapshots/ 中。未做任何更改',
  'error.site_key_wrong':
    '无法解密已保存的密钥[：{file} 属于其他站点]。请放回写入该数据库时所用的 secret.json（或 CRYPTO_SECRET）；旧文件可能在 snapshots/ 中。未做任何更改',
  'error.gateway_unreachable': '无法连接网关[：{address}]',
  'error.database_unavailable': '数据库[ {file} ]不可用[：{problem}][（{reason}）]',
  'error.redis_unavailable': 'Redis 不可用[：{reason}]',
  'error.redis_needs_postgres':
    'Redis 用于 PostgreSQL 上的多进程部署：请改用 PostgreSQL，或去掉 Redis 地址',
  'error.workers_need_postgres':
    '多个工作进程需要共享 PostgreSQL（--database-url）和 Redis（--redis-url）',
  'error.ledger_drift': '账本与余额不一致[：{account}]',
  'error.import_source_unreadable': '无法读取来源[ {source}][：{problem}]',
  'error.import_source_foreign':
    '来源[ {source} ]不是 One API、New API、one-hub、sub2api 或 LiteLLM 的数据库[：缺少表 {tables}]',
  'error.import_source_incomplete':
    '来源的迁移不完整[：{table} 表缺少列 {columns}]。请先启动一次旧程序，再重试',
  'error.import_family_wrong':
    '来源是另一个程序的数据库[（{found}）：请使用 `turnpike import {command}`]',
  'error.import_target_not_empty':
    '本站已有用户。请导入到空的数据目录，若现有用户与来源用户的编号不重复，可加上 --force',
  'error.import_ids_taken': '本站用户与来源用户的编号重复[：{ids}]。请导入到空的数据目录',
  'error.import_proof_failed':
    '行数或合计不一致，未导入任何数据[：{table} 的 {figure} 应为 {expected}，实际为 {found}]',
  'error.import_salt_key_wrong':
    '无法解密来源中的任何密钥：LITELLM_SALT_KEY（未设置时为主密钥）与加密时使用的不一致',
  'error.import_interrupted': '导入已中断，未导入任何数据',
  'error.gateway_data_elsewhere':
    '在此数据目录上运行的网关，数据在别处[：{wanted}][，而不是 {read}]。执行本命令时请使用与网关相同的设置[：{setting}]',
  'error.backup_target': '[{file} ]已存在且不是备份文件，不会被覆盖：请换一个文件名',
  'error.backup_foreign': '[{file} ]不是 Turnpike 的备份文件',
  'error.backup_damaged': '备份文件[ {file} ]已损坏或不完整',
  'error.backup_newer': '备份文件[ {file} ]由更新的版本[（{version}）]生成：请先安装该版本',
  'error.backup_key_missing':
    '无法解密此备份中的密钥：备份不含密钥文件，数据目录[ {folder} ]中也没有对应的密钥文件。请将原站点的 secret.json 复制到该目录，或设置 CRYPTO_SECRET',
  'error.backup_place': '备份无法保存[到 {place}][：请设置 {setting}][：{problem}][：{detail}]',
  'error.backup_none': '[{place} 中]没有该备份[：{name}]',
  'error.backup_sealed':
    '备份[ {file} ]已加密：请用 BACKUP_PASSPHRASE 或 --backup-passphrase-stdin 提供口令',
  'error.backup_passphrase': '口令与备份[ {file} ]不符',
  'error.backup_room': '磁盘空间不足[（{folder}）]，放不下站点的副本[：需要 {megabytes} MB]',
  'error.upgrade_failed': '站点无法在此版本下工作，数据库已恢复原状[：{reason}]',
  'error.restore_not_empty': '已有数据库[：{target}]。加 --force 可替换，并保留其副本',
  'error.site_missing':
    '[{folder} 中]没有站点[（{file} 不存在）]。请检查 --data-dir 和 TURNPIKE_DATA_DIR；新建站点请用 turnpike setup',
  'error.user_unknown': '没有这个用户[：{user}]',
  'error.database_missing': '没有数据库[：{file}]',
  'error.database_lost':
    '数据库[ {file} ]不存在或为空，但它的附属文件还在[：{names}]。请将数据库放回原处，或用 `turnpike restore` 恢复备份。未做任何更改',
  'error.database_newer': '数据库已被更新的 Turnpike 版本使用过[（迁移 {step}）]：请运行该版本',
  'error.migrations_pending':
    '数据库仍是旧版本的结构[：有 {count} 项迁移待执行]。请先备份，再执行 `turnpike migrate` 或启动网关。未做任何更改',
  'error.database_foreign':
    '数据库[ {file} ]属于其他程序：请指定空的数据库，或用 `turnpike import` 迁入',
  'error.database_in_use': '数据库正被使用[（另有 {count} 个连接）]：请先停止所有网关',
} as const satisfies Record<`error.${keyof typeof processErrors}`, string>;
