/** Tests of the code that checks stores. */
@NullMarked
package dev.doyen.cli.doctor.driver;

import org.jspecify.annotations.NullMarked;
