# Node.js 24 on Debian, for amd64 and arm64. Not Alpine: the native part of Temporal's SDK needs glibc.
FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS base
WORKDIR /app

FROM base AS build
COPY package.json package-lock.json ./
# Without scripts: `prepare` builds, and the sources are not here yet. No package needs its install script.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY sandbox ./sandbox
COPY devstack ./devstack
COPY chaos ./chaos
COPY board ./board
COPY schema ./schema
RUN npm run build

FROM base AS dependencies
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts

FROM base
# The native part reads the system's certificates, and the slim image has none.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY bin ./bin
COPY examples ./examples
# The API serves its pages.
COPY docs ./docs
# A new volume takes over the owner of the folder that it covers.
RUN mkdir -p /var/lib/consign/files && chown -R node:node /var/lib/consign
# `node` by its number: Kubernetes cannot tell by a name that it is not root.
USER 1000
CMD ["node", "dist/src/worker.js"]
