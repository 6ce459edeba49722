package dev.doyen.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JarsTest {

    private static final List<String> BUILT = Recipe.ELECTOR.libraries().orElseThrow().stream()
            .map(each -> each + "-1.2.Final.jar")
            .toList();

    @Test
    void the_elector_takes_what_it_needs_and_no_other_store() {
        var built = new ArrayList<>(BUILT);
        built.addAll(
                List.of("doyen-store-jdbc-1.2.jar", "netty-codec-http2-1.2.jar", "netty-codec-http-extra-1.2.jar"));

        assertThat(Jars.needed(Recipe.ELECTOR, built))
                .isEqualTo(BUILT.stream().sorted().toList());
    }

    @Test
    void a_missing_jar_is_reported() {
        var built = new ArrayList<>(BUILT);
        built.remove("netty-handler-1.2.Final.jar");

        assertThatThrownBy(() -> Jars.needed(Recipe.ELECTOR, built))
                .hasMessage("doyen-elector needs one jar of netty-handler, but was built with none; correct the list in"
                        + " Recipe, or build again");
    }

    @Test
    void two_versions_of_a_jar_are_rejected() {
        var built = new ArrayList<>(BUILT);
        built.add("netty-handler-1.3.Final.jar");

        assertThatThrownBy(() -> Jars.needed(Recipe.ELECTOR, built))
                .hasMessageContaining("[netty-handler-1.2.Final.jar, netty-handler-1.3.Final.jar]");
    }

    @Test
    void the_injector_takes_all_it_was_built_with() {
        assertThat(Jars.needed(Recipe.INJECTOR, List.of("b.jar", "a.jar"))).containsExactly("a.jar", "b.jar");
    }
}
