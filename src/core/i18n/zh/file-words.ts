import type { FileProblem } from '../../kernel/file-problems.ts';

/** What is wrong with a file and what to do about it, and the allowed values of a flag. */
export const fileWords = {
  'rule.allowed': '可用 {allowed}',
  'rule.end': '不能早于起始时间，也不能晚于 9999 年',
  'rule.databaseUrl':
    '请使用 postgres://用户:密码@主机/数据库，密码中的 #、/、? 写作 %23、%2F、%3F。MySQL 上的站点请用 `turnpike import` 迁入',
  'rule.file.denied': '当前用户无权使用；请修改其所有者或权限，或改用其他路径',
  'rule.file.readOnly': '只读；请改为可写，或改用其他路径',
  'rule.file.diskFull': '磁盘已满；请腾出空间',
  'rule.file.tooLarge': '超出文件系统或进程允许的文件大小；请改用其他磁盘，或提高限制',
  'rule.file.missing': '不存在；请先创建，或改用其他路径',
  'rule.file.notFolder': '应为目录的位置是一个文件；请移走该文件，或改用其他路径',
  'rule.file.isFolder': '应为文件的位置是一个目录；请移走该目录，或改用其他路径',
  'rule.file.nameTooLong': '名称过长；请使用较短的路径',
  'rule.file.loop': '符号链接形成循环；请修正，或改用其他路径',
  'rule.file.unsupported': '该文件系统不能新建目录；请改用其他路径',
  'rule.file.disk': '读写失败；请检查磁盘',
  'rule.file.closed': '读取它的程序已结束',
  'rule.file.tooMany': '打开的文件过多；请提高文件数上限',
  'rule.file.locked': '已被其他程序锁定；请结束该程序后重试',
  'rule.file.damaged': '不是 SQLite 数据库或已损坏；请从备份恢复，或改用其他路径',
} as const satisfies Record<FileProblem | 'rule.allowed' | 'rule.databaseUrl' | 'rule.end', string>;
