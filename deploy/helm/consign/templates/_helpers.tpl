{{- define "consign.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "consign.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "consign.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- with .group }}
consign/group: {{ . }}
{{- end }}
{{- end -}}

{{- define "consign.labels" -}}
{{ include "consign.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- /* What every pod has, beside its containers. */ -}}
{{- define "consign.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* What every container has, beside its command and variables. */ -}}
{{- define "consign.container" -}}
image: {{ include "consign.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- /* Spreads the pods of a Deployment over the nodes, where there are several. */ -}}
{{- define "consign.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "consign.selector" . | nindent 8 }}
{{- end -}}

{{- /* What every process that uses Temporal reads. */ -}}
{{- define "consign.baseEnv" -}}
- name: TEMPORAL_ADDRESS
  value: {{ required "set temporal.address to host:port of the Temporal frontend" .Values.temporal.address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .Values.temporal.namespace | quote }}
{{- with .Values.temporal.apiKey }}
{{- if .secretName }}
- name: TEMPORAL_API_KEY
  valueFrom:
    secretKeyRef: { name: {{ .secretName }}, key: {{ .key }} }
{{- end }}
{{- end }}
{{- with .Values.temporal.tls }}
{{- if .secretName }}
- name: TEMPORAL_TLS_CLIENT_CERT_PATH
  value: /etc/consign/temporal/tls.crt
- name: TEMPORAL_TLS_CLIENT_KEY_PATH
  value: /etc/consign/temporal/tls.key
{{- if .hasServerCa }}
- name: TEMPORAL_TLS_SERVER_CA_CERT_PATH
  value: /etc/consign/temporal/ca.crt
{{- end }}
{{- end }}
{{- if .serverName }}
- name: TEMPORAL_TLS_SERVER_NAME
  value: {{ .serverName | quote }}
{{- end }}
{{- end }}
- name: CONSIGN_LOG_LEVEL
  value: {{ .Values.logLevel }}
{{- end -}}

{{- define "consign.encryptionEnv" -}}
{{- if .Values.secrets.encryption }}
- name: CONSIGN_ENCRYPTION
  value: /etc/consign/encryption/encryption.yaml
{{- end }}
{{- end -}}

{{- /* Where worker, receiver and API serve their metrics: the port is in no Service but that of the metrics. */ -}}
{{- define "consign.metricsEnv" -}}
- name: CONSIGN_METRICS_ADDRESS
  value: 0.0.0.0:9464
{{- end -}}

{{- define "consign.filesEnv" -}}
{{- with .Values.files }}
{{- if and .location .existingClaim }}{{ fail "set files.location or files.existingClaim, not both" }}{{ end }}
{{- if not (or .location .existingClaim) }}{{ fail "set files.location to s3://bucket/prefix, or files.existingClaim" }}{{ end }}
- name: CONSIGN_FILES
  value: {{ .location | default "/var/lib/consign/files" | quote }}
{{- if .endpoint }}
- name: CONSIGN_FILES_ENDPOINT
  value: {{ .endpoint | quote }}
{{- end }}
{{- if .region }}
- name: CONSIGN_FILES_REGION
  value: {{ .region | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "consign.deploymentEnv" -}}
{{- with .Values.deployment }}
{{- if or .name .buildId }}
- name: CONSIGN_DEPLOYMENT
  value: {{ required "set deployment.name too, because deployment.buildId is set" .name | quote }}
- name: CONSIGN_BUILD_ID
  value: {{ required "set deployment.buildId too, because deployment.name is set" .buildId | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* The variables of `env`, sorted by their names. */ -}}
{{- define "consign.ownEnv" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "consign.envFrom" -}}
{{- with . }}
envFrom:
  {{- range . }}
  - secretRef: { name: {{ . }} }
  {{- end }}
{{- end }}
{{- end -}}

{{- define "consign.temporalMount" -}}
{{- if .Values.temporal.tls.secretName }}
- { name: temporal, mountPath: /etc/consign/temporal, readOnly: true }
{{- end }}
{{- end -}}

{{- define "consign.temporalVolume" -}}
{{- with .Values.temporal.tls.secretName }}
- name: temporal
  secret: { secretName: {{ . }} }
{{- end }}
{{- end -}}

{{- define "consign.encryptionMount" -}}
{{- if .Values.secrets.encryption }}
- { name: encryption, mountPath: /etc/consign/encryption, readOnly: true }
{{- end }}
{{- end -}}

{{- define "consign.encryptionVolume" -}}
{{- with .Values.secrets.encryption }}
- name: encryption
  secret: { secretName: {{ . }} }
{{- end }}
{{- end -}}

{{- /* Whole folders, not single files of them: a folder follows a Secret that changes, so keys rotate without a restart. */ -}}
{{- define "consign.accountsMounts" -}}
- { name: accounts, mountPath: /etc/consign/accounts, readOnly: true }
{{- if .Values.secrets.files }}
- { name: secrets, mountPath: /etc/consign/secrets, readOnly: true }
{{- end }}
{{- end -}}

{{- define "consign.accountsVolumes" -}}
- name: accounts
  secret: { secretName: {{ required "set secrets.accounts to the Secret with the accounts files" .Values.secrets.accounts }} }
{{- with .Values.secrets.files }}
- name: secrets
  secret: { secretName: {{ . }} }
{{- end }}
{{- end -}}
