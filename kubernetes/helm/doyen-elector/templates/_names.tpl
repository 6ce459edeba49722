{{- define "doyen.name" -}}{{ .Values.fullnameOverride }}{{- end }}
{{- define "doyen.injector" -}}{{ .Values.fullnameOverride }}-injector{{- end }}
{{- define "doyen.electorImage" -}}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{- end }}
{{- define "doyen.injectorImage" -}}{{ .Values.injector.image.repository }}:{{ .Values.injector.image.tag | default .Chart.AppVersion }}{{- end }}
{{- define "doyen.certificateSecret" -}}{{ include "doyen.injector" . }}-certificate{{- end }}
{{- define "doyen.selector" -}}
app.kubernetes.io/name: {{ include "doyen.injector" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "doyen.labels" -}}
app.kubernetes.io/part-of: doyen
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
{{- define "doyen.labelled" -}}
matchExpressions:
- key: elector.doyen.dev/inject
  operator: Exists
- key: elector.doyen.dev/inject
  operator: NotIn
  values: ["false"]
{{- end }}
{{- define "doyen.policyScope" -}}
resourceRules:
- apiGroups: [""]
  apiVersions: [v1]
  operations: [CREATE]
  resources: [pods]
objectSelector:
  {{- include "doyen.labelled" . | nindent 2 }}
namespaceSelector:
  matchExpressions:
  - key: kubernetes.io/metadata.name
    operator: NotIn
    values: [kube-system, {{ .Release.Namespace }}]
{{- end }}
