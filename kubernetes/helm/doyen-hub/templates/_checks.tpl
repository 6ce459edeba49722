{{- /* Fails with an error message if the values contradict each other, or if they contain a secret. */}}
{{- define "doyen.check" -}}
{{- if not .Values.secretName }}
{{- fail "secretName is empty; create a Secret with the entry DOYEN_KEY, and set secretName to the name of this Secret" }}
{{- end }}
{{- if and (gt (int .Values.replicas) 1) (not .Values.settings.nodes) }}
{{- fail (printf "replicas is %d, and several nodes need Redis; set settings.nodes.redis, or set replicas to 1" (int .Values.replicas)) }}
{{- end }}
{{- if .Values.settings.nodes }}
{{- if not .Values.store }}
{{- fail "store is empty, and the nodes of settings.nodes need a store that they share; set store to its URL, such as jdbc:postgresql://HOST/DATABASE" }}
{{- end }}
{{- if regexMatch "^(file|memory):" .Values.store }}
{{- fail (printf "store is %s, which nodes cannot share; set it to the URL of a server, such as jdbc:postgresql://HOST/DATABASE" .Values.store) }}
{{- end }}
{{- if regexMatch "://[^@/]*:[^$@/][^@/]*@" .Values.settings.nodes.redis }}
{{- fail "settings.nodes.redis contains a password; store the password in the Secret, and write ${NAME} with the name of its entry instead" }}
{{- end }}
{{- end }}
{{- if regexMatch "://[^@/]*:[^$@/][^@/]*@|password=[^$]" .Values.store }}
{{- fail "store contains a password; store the password in the Secret, and write $(NAME) with the name of its entry instead" }}
{{- end }}
{{- range .Values.settings.keys }}
{{- if not (regexMatch "^([^:$]+:)?\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$" (toString .key)) }}
{{- fail "a key in settings.keys contains its secret; store the secret in the Secret, and write appId.keyId:${NAME} with the name of its entry instead" }}
{{- end }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}
{{- fail "ingress.host is empty; set it to the host name of the hub, or set ingress.enabled to false" }}
{{- end }}
{{- end }}
