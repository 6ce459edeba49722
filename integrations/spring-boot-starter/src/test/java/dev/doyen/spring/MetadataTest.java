package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** Tests the settings' descriptions, which editors and the guide show. */
class MetadataTest {

    private final List<Map<String, Object>> properties = of("properties");

    @Test
    void each_key_has_a_description_that_is_a_sentence() {
        assertThat(properties).extracting(each -> each.get("name")).contains("doyen.store", "doyen.elector.url");
        assertThat(properties)
                .filteredOn(each -> String.valueOf(each.get("name")).startsWith("doyen."))
                .allSatisfy(each ->
                        assertThat(String.valueOf(each.get("description"))).endsWith("."));
    }

    @Test
    void keys_with_hints_exist() {
        assertThat(of("hints")).extracting(each -> each.get("name")).contains("doyen.store");
        assertThat(of("hints"))
                .filteredOn(each -> String.valueOf(each.get("name")).startsWith("doyen."))
                .allSatisfy(each -> assertThat(properties)
                        .extracting(property -> property.get("name"))
                        .contains(each.get("name")));
    }

    @Test
    void the_guide_has_each_key() throws Exception {
        String page = Files.readString(Path.of("../../docs/guide/spring.md"));
        int settings = page.indexOf("\n## Settings\n");
        String table = page.substring(settings, page.indexOf("\n## ", settings + 1));
        List<String> keys = new ArrayList<>();
        properties.forEach(each -> keys.add(String.valueOf(each.get("name"))));
        keys.removeIf(key -> !key.startsWith("doyen.") || key.equals("doyen.elections"));
        components(ElectionSettings.class).forEach(each -> keys.add(each.equals("health") ? "every" : each));
        components(ElectionSettings.Health.class).forEach(keys::add);
        assertThat(keys)
                .hasSizeGreaterThan(20)
                .allSatisfy(key -> assertThat(table).containsPattern("[`.]" + key.replaceFirst("^doyen\\.", "") + "`"));
    }

    private static List<String> components(Class<? extends Record> type) {
        List<String> names = new ArrayList<>();
        for (RecordComponent each : type.getRecordComponents()) {
            names.add(each.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
        }
        return names;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> of(String part) {
        try {
            // Read this module's file, because other modules on the class path have files of the same name.
            String text = Files.readString(Path.of("target/classes/META-INF/spring-configuration-metadata.json"));
            return (List<Map<String, Object>>)
                    JsonParserFactory.getJsonParser().parseMap(text).get(part);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
