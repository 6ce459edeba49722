package dev.doyen.image.driver;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A test of each image that the tests of this module build. The tests of a release (testing/release) check all images,
 * because each build takes half a minute.
 */
@ParameterizedTest
@EnumSource(
        mode = EnumSource.Mode.EXCLUDE,
        names = {"RING", "DOYEN"})
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface EachTestedImage {}
