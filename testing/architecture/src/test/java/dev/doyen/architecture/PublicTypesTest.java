package dev.doyen.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.doyen.Election;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Limits the number of public types of the lease jar, because users have to learn each of them.
 *
 * <p>The test counts the public top-level types in the packages that {@code dev.doyen.core} exports to every module.
 */
class PublicTypesTest {

    /** Before you raise this limit, look for an existing type that can contain the new one. */
    private static final int MAX_TYPES = 44;

    @Test
    void the_lease_jar_has_few_public_types() throws URISyntaxException {
        URI jar = Election.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        Set<String> exported =
                ModuleFinder.of(Path.of(jar)).find("dev.doyen.core").orElseThrow().descriptor().exports().stream()
                        .filter(each -> !each.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet());

        // The location is a folder of classes after "mvn test", and a jar after "mvn verify".
        List<String> types = new ClassFileImporter()
                .withImportOption(location -> location.contains(jar.getPath())).importPackages("dev.doyen").stream()
                        .filter(each -> exported.contains(each.getPackageName()))
                        .filter(each ->
                                each.isTopLevelClass() && each.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getName)
                        .sorted()
                        .toList();

        assertThat(types)
                .as("public types of the lease jar; put a new type into an existing one, or raise the limit")
                .contains(Election.class.getName())
                .hasSizeLessThanOrEqualTo(MAX_TYPES);
    }
}
