# syntax=docker/dockerfile:1
# The gateway in a container: docs/operate.md#containers. For linux/amd64 and linux/arm64.
FROM node:24-bookworm-slim AS build
WORKDIR /src
# The dependencies are a layer of their own: most changes leave it as it is.
COPY package.json package-lock.json ./
COPY scripts/ready.mjs scripts/
RUN node scripts/ready.mjs
COPY . .
RUN npm run build \
  && npm pack --ignore-scripts \
  && npm install --prefix /opt/turnpike --omit=dev --ignore-scripts --no-audit --no-fund ./turnpike-*.tgz

FROM node:24-bookworm-slim
COPY --from=build /opt/turnpike /opt/turnpike
RUN ln -s /opt/turnpike/node_modules/.bin/turnpike /usr/local/bin/turnpike \
  && install -d -m 700 -o node -g node /data
ENV NODE_ENV=production TURNPIKE_HOST=0.0.0.0 TURNPIKE_PORT=3000 TURNPIKE_DATA_DIR=/data TURNPIKE_OPEN=false \
  TURNPIKE_LOG_TO=stdout
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TURNPIKE_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["turnpike"]
CMD ["serve"]
