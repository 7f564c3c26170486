# Pavis in a container: docker build -t pavis .
# The image holds the package that "npm pack" makes, on a Node.js of its own, without npm and build tools.

FROM node:26.10.0-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY packages/client/package.json packages/client/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack --pack-destination /tmp

FROM node:26.10.0-bookworm-slim AS install
WORKDIR /opt/pavis
COPY --from=build /tmp/pavis-*.tgz /tmp/
# The optional packages are copies of Node.js, which the image has.
RUN npm install --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund /tmp/pavis-*.tgz

FROM node:26.10.0-bookworm-slim
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
 && install -d -o node -g node -m 0700 /data
COPY --from=install /opt/pavis /opt/pavis
ENV NODE_ENV=production \
    PAVIS_HOST=0.0.0.0 \
    PAVIS_PORT=8787 \
    PAVIS_DATA_DIR=/data \
    NODE_COMPILE_CACHE=/tmp/pavis \
    MALLOC_MMAP_THRESHOLD_=1048576 \
    PATH=/opt/pavis/node_modules/.bin:$PATH
# By number, so that an orchestrator can see that it is not root.
USER 1000:1000
WORKDIR /opt/pavis
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PAVIS_PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "node_modules/pavis/bin/pavis.js"]
CMD ["serve"]
