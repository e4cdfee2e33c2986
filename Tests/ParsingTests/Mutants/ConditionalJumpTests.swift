import Model
import Testing

@testable import Parsing

@Suite("Conditional jumps")
struct ConditionalJumpTests {
  /// Rows of what llvm-objdump 21 writes with `-d`.
  private static let output = """

    Shop.xctest:	file format elf64-x86-64

    Disassembly of section .text:

    0000000000003c00 <$s1A1SV7flaggedSiyF>:
        3c00: 55                           	pushq	%rbp
        3c01: f6 45 f7 01                  	testb	$0x1, -0x9(%rbp)
        3c05: 75 02                        	jne	0x3c09 <$s1A1SV7flaggedSiyF+0x9>
        3c07: eb 0f                        	jmp	0x3c18 <$s1A1SV7flaggedSiyF+0x18>
        3c09: 48 3b 45 f0                  	cmpq	-0x10(%rbp), %rax
        3c0d: 48 89 85 10 ff ff ff         	movq	%rax, -0xf0(%rbp)
        3c14: 0f 8d 08 00 00 00            	jge	0x3c22 <$s1A1SV7flaggedSiyF+0x22>
        3c1a: 66 0f 2e c1                  	ucomisd	%xmm1, %xmm0
        3c1e: 75 33                        	jne	0x3c53 <$s1A1SV7flaggedSiyF+0x53>
        3c20: 7a 31                        	jp	0x3c53 <$s1A1SV7flaggedSiyF+0x53>
        3c22: 49 83 fc 00                  	cmpq	$0x0, %r12
        3c26: 88 85 2d eb ff ff            	movb	%al, -0x14d3(%rbp)
        3c2c: 75 25                        	jne	0x3c53 <$s1A1SV7flaggedSiyF+0x53>
        3c2e: 0f 90 c0                     	seto	%al
        3c31: a8 01                        	testb	$0x1, %al
        3c33: 75 20                        	jne	0x3c55 <$s1A1SV7flaggedSiyF+0x55>
        3c35: a8 01                        	testb	$0x1, %al
        3c37: 75 02                        	jne	0x3c3b <$s1A1SV7flaggedSiyF+0x3b>
        3c39: eb 1a                        	jmp	0x3c55 <$s1A1SV7flaggedSiyF+0x55>
        3c3b: 2c 01                        	subb	$0x1, %al
        3c3d: 74 14                        	je	0x3c53 <$s1A1SV7flaggedSiyF+0x53>
        3c3f: 48 ff c0                     	incq	%rax
        3c42: 74 0f                        	je	0x3c53 <$s1A1SV7flaggedSiyF+0x53>
        3c44: ff 25 6a e0 00 00            	jmpq	*0xe06a(%rip)           # 0x10000
        3c53: c3                           	retq
        3c55: 0f 0b                        	ud2

    """

  @Test("A jump is turned around by one bit, after what compares only, and not around a trap or behind what may throw")
  func jumps() {
    let jumps = ConditionalJump.read(Array(Self.output.utf8))
    #expect(jumps.map(\.address) == [0x3c05, 0x3c14, 0x3c1e, 0x3c20, 0x3c3d, 0x3c42])
    #expect(jumps.map { $0.opposite?.address } == [0x3c05, 0x3c15, 0x3c1e, nil, 0x3c3d, nil])
    #expect(jumps.map { $0.opposite?.code.bytes } == ["74", "8c", "74", nil, "75", nil])
    #expect(jumps.allSatisfy { $0.function == 0x3c00 })
    #expect(jumps[0].opposite?.code.replacement == .negation)
  }

  @Test("What is no disassembly has none")
  func nothing() {
    #expect(ConditionalJump.read(Array("error: no such file\n  3c05: zz\n\t\n:\t\n".utf8)).isEmpty)
  }
}
