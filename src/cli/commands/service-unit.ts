/** The unit of a service of systemd (docs/operate.md#services). */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { parseEnv } from 'node:util';
import { loadConfig } from '../../core/config/load.ts';
import { namingFile } from '../../core/kernel/file-problems.ts';

const serviceData = '/var/lib/turnpike';

/** A file whose name is that of its variable. */
interface Secret {
  readonly name: string;
  readonly path: string;
}

/**
 * The folders outside of its data folder that the settings in its environment file name: everything
 * else is read-only for it, and its backups would fail.
 */
function foldersToWrite(environmentFile: string): readonly string[] {
  if (!existsSync(environmentFile)) return [];
  const text = namingFile(environmentFile, () => readFileSync(environmentFile, 'utf8'));
  const { config } = loadConfig({
    flags: { 'data-dir': serviceData },
    environment: parseEnv(text),
    cwd: '/',
  });
  const { backupTo, archiveDir, uploadDir, logDir, accessLog, ledgerSealFile, sqlitePath } = config;
  const folders = [
    ...[backupTo, archiveDir, uploadDir, logDir],
    ...[accessLog, ledgerSealFile, sqlitePath].map((file) => dirname(file)),
  ];
  const outside = folders.filter(
    (path) => isAbsolute(path) && !`${path}/`.startsWith(`${serviceData}/`),
  );
  return [...new Set(outside)];
}

/** A word of a unit's command line: quoted, `%` and `$` as themselves (systemd.service(5)). */
const word = (text: string): string =>
  `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;

/**
 * The unit. Its data is in /var/lib/turnpike. Memory must stay writable and executable: the
 * compiler of Node writes code.
 */
export function unitText(
  user: string,
  environmentFile: string,
  secrets: readonly Secret[],
): string {
  const credentials = secrets.map(
    ({ name, path }) => `LoadCredential=${name}:${path.replaceAll('%', '%%')}\n`,
  );
  // One that is missing, as on a disk that is not mounted, does not hold up the start.
  const folders = foldersToWrite(environmentFile).map(
    (path) => `ReadWritePaths="-${path.replace(/["\\]/g, '\\$&').replaceAll('%', '%%')}"\n`,
  );
  const program = realpathSync(process.argv[1] ?? '');
  return `[Unit]
Description=Turnpike, an AI model gateway
Wants=network-online.target
After=network-online.target postgresql.service redis-server.service

[Service]
Type=notify
NotifyAccess=all
ExecStart=${word(process.execPath)} ${word(program)} serve --no-open --data-dir ${serviceData}
Environment=TURNPIKE_LOG_TO=stdout TURNPIKE_LOG_FORMAT=text
EnvironmentFile=-${environmentFile.replaceAll('%', '%%')}
${credentials.join('')}User=${user}
StateDirectory=turnpike
StateDirectoryMode=0700
UMask=0077
Restart=on-failure
RestartSec=2
TimeoutStartSec=infinity
TimeoutStopSec=60
LimitNOFILE=65536

CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=read-only
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectSystem=strict
${folders.join('')}RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy=multi-user.target
`;
}
