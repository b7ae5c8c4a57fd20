# Debian and not Alpine: the native part of Temporal's SDK needs glibc.
FROM node:20-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts: `prepare` builds, and the sources are not here yet. No package needs its install script.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY sandbox ./sandbox
COPY devstack ./devstack
COPY chaos ./chaos
RUN npm run build

FROM node:20-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force

FROM node:20-slim
# The native part reads the system's certificates, and the slim image has none.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY bin ./bin
COPY examples ./examples
# A new volume takes over the owner of the folder that it covers.
RUN mkdir -p /var/lib/consign/files && chown -R node:node /var/lib/consign
USER node
CMD ["node", "dist/src/worker.js"]
