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
{{- define "doyen.scrape" -}}
namespaceSelector:
  {{- if .Values.podMonitor.namespaces }}
  matchNames:
    {{- toYaml .Values.podMonitor.namespaces | nindent 4 }}
  {{- else }}
  any: true
  {{- end }}
podMetricsEndpoints:
- path: /metrics
  interval: {{ .Values.podMonitor.interval }}
  relabelings:
  - action: keep
    sourceLabels: [__meta_kubernetes_pod_container_name]
    regex: elector
  # The port of the probes serves the metrics. The container does not declare this port, like the container of NAIS.
  - sourceLabels: [__meta_kubernetes_pod_ip]
    regex: '([^:]+)'
    targetLabel: __address__
    replacement: '$1:4041'
  - sourceLabels: [__meta_kubernetes_pod_ip]
    regex: '(.*:.*)'
    targetLabel: __address__
    replacement: '[$1]:4041'
  - sourceLabels: [__address__, __meta_kubernetes_pod_annotation_elector_doyen_dev_probe_port]
    separator: ';'
    regex: '(.*):4041;([0-9]+)'
    targetLabel: __address__
    replacement: '$1:$2'
{{- end }}
