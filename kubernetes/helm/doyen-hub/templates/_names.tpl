{{- define "doyen.name" -}}{{ .Values.fullnameOverride | default .Release.Name }}{{- end }}
{{- define "doyen.image" -}}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{- end }}
{{- define "doyen.selector" -}}
app.kubernetes.io/name: doyen-hub
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "doyen.labels" -}}
app.kubernetes.io/part-of: doyen
app.kubernetes.io/name: doyen-hub
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
