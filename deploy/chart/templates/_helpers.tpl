{{- define "vitrine.name" -}}
{{ .Release.Name | trunc 53 | trimSuffix "-" }}
{{- end }}

{{- define "vitrine.selectorLabels" -}}
app.kubernetes.io/name: vitrine
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "vitrine.labels" -}}
{{ include "vitrine.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- end }}

{{/* Fields of all pods of the store. The image runs as the user "node". */}}
{{- define "vitrine.podSpec" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: data
    emptyDir:
      sizeLimit: {{ .Values.cacheSize }}
  - name: tmp
    emptyDir:
      sizeLimit: {{ .Values.cacheSize }}
{{- end }}

{{- define "vitrine.container" -}}
image: "{{ required "image.repository is missing" .Values.image.repository }}:{{ required "image.tag is missing" .Values.image.tag }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - secretRef:
      name: {{ required "existingSecret is missing" .Values.existingSecret }}
volumeMounts:
  - name: data
    mountPath: /shop/data
  - name: tmp
    mountPath: /tmp
resources:
  {{- toYaml .Values.resources | nindent 2 }}
{{- end }}
