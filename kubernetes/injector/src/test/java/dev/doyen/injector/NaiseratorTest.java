package dev.doyen.injector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.flipkart.zjsonpatch.JsonDiff;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Compares the injected container and variables with the container and variables of naiserator.
 *
 * <p>Source: naiserator 808737d2, pkg/resourcecreator/leaderelection/leaderelection.go and pod/pod.go. The table in
 * docs/reference/injector.md must list exactly the fields that differ.
 */
class NaiseratorTest {

    private static final Path PAGE = Path.of("../../docs/reference/injector.md");
    private static final String TABLE = "| of the container `elector` |";

    private final Injection injection = new Injection(new InjectionSettings("doyen-elector:1", SidecarKind.NATIVE));

    @Test
    void every_field_that_naiserator_does_not_set_is_in_the_table_of_the_page() throws Exception {
        var naiserator =
                Yamls.read(Path.of("src/test/resources/naiserator.yaml")).get(0);
        ObjectNode given = naiserator.deepCopy();
        given.withObject("/spec").remove("initContainers");
        given.withArray("/spec/containers/0/env").removeAll();
        given.withArray("/spec/containers/0/env").addObject().put("name", "LOG").put("value", "json");
        given.withObject("/metadata/labels").put(Marks.INJECT, "true");
        given.withObject("/metadata/annotations").put(Marks.ELECTION, "orders");

        var ours = injection.inject(given, "shop", Revision.NONE);

        assertThat(ours.at("/spec/containers")).isEqualTo(naiserator.at("/spec/containers"));
        assertThat(ours.at("/spec/initContainers")).hasSize(1);
        var different = new ArrayList<String>();
        for (var operation :
                JsonDiff.asJson(naiserator.at("/spec/initContainers/0"), ours.at("/spec/initContainers/0"))) {
            different.add(operation.path("path").asText().substring(1).replace('/', '.'));
        }
        assertThat(different).containsExactlyInAnyOrderElementsOf(documented());
    }

    /** Returns the fields in the first column of the page's table. */
    private static List<String> documented() throws Exception {
        var fields = new ArrayList<String>();
        var page = Files.readString(PAGE);
        assertThat(page).contains(TABLE);
        for (var line : page.substring(page.indexOf(TABLE)).lines().skip(2).toList()) {
            if (!line.startsWith("|")) {
                break;
            }
            var column = line.split("\\|", -1)[1];
            for (var field : column.split(",", -1)) {
                fields.add(field.replaceAll("[` ]", ""));
            }
        }
        return fields;
    }
}
