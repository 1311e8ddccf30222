import Testing

/// What the simulator found stays found: the steps to which it was shrunk, with the seed of their timing.
@Suite struct FoundTests {
    private static func steps(_ acts: [(id: Int, delay: UInt64, machine: Int, act: Step.Act)]) -> [Step] {
        acts.map { Step(id: $0.id, delay: $0.delay, machine: $0.machine, act: $0.act) }
    }

    private static func edit(_ file: UInt64, _ change: UInt64, inPlace: Bool = false) -> Step.Act {
        .edit(file, change, inPlace: inPlace, isSeen: true)
    }

    /// The version that a file had shown for months was no base any more once the next was noted.
    @Test func anEditOfAFileUnchangedForMonthsTakesNothingFromAPeer() {
        let steps = Self.steps([
            (6, 2423, 0, .add(2_342_280_520_202_887_180)), (7, 443, 1, .cut(14_219_302_645_927_482_637)),
            (8, 586, 0, .settle(days: 310)),
            (10, 24, 1, Self.edit(14_487_012_210_838_712_501, 3_936_734_666_579_786_352)),
            (11, 29, 0, Self.edit(921_257_130_745_011_918, 7_770_572_385_299_052_852)),
            (22, 2694, 0, .settle(days: 0)),
        ])
        expectNoFailure(15, steps)
    }

    /// A version whose swap was overtaken stayed a base until the commit that took it out.
    @Test func aSaveThatMeetsASwapTakesNothingFromAPeer() {
        let steps = Self.steps([
            (0, 301, 1, .add(3_424_016_407_676_341_682)), (1, 727, 0, .add(8_463_980_827_348_496_935)),
            (6, 1957, 0, .add(2_913_659_085_807_236_220)), (7, 554, 0, .add(3_675_497_467_976_202_203)),
            (30, 633, 0, .settle(days: 350)), (32, 32, 0, .add(10_734_335_499_650_158_571)),
            (33, 22, 0, .add(9_052_094_956_711_268_617)), (34, 58, 0, .rename(2_810_603_650_034_728_679)),
            (35, 59, 0, Self.edit(11_552_938_958_347_630_816, 17_304_260_297_749_616_547)),
            (36, 46, 0, Self.edit(11_989_277_278_896_851_339, 13_261_865_438_993_638_762)),
            (37, 14, 1, .backUp), (42, 11, 1, .add(13_221_094_807_075_924_979)),
            (43, 8, 1, Self.edit(8_217_706_823_353_730_375, 9_285_782_422_295_848_996, inPlace: true)),
            (45, 2618, 0, .settle(days: 0)),
        ])
        expectNoFailure(126, steps)
    }

    /// A copy that was given a number once more, under another label, counted as saying the same.
    @Test func aCopyThatSaysANumberTwiceIsAnAddition() {
        let steps = Self.steps([
            (1, 57, 1, .add(9_510_434_891_462_937_852)), (2, 15, 0, .add(1_382_348_035_618_811_501)),
            (3, 10, 3, .add(6_552_642_197_642_679_068)), (12, 13, 1, .add(5_360_535_979_711_393_760)),
            (15, 16, 0, .add(16_046_301_583_812_056_059)), (16, 14, 1, .add(8_964_266_003_487_279_156)),
            (17, 53, 0, .start), (24, 21, 3, .add(18_232_178_716_247_610_305)),
            (25, 15, 2, .cut(13_246_695_031_777_795_639)), (36, 54, 3, .backUp),
            (37, 5, 0, .copy(8_975_286_519_899_312_962)), (39, 41, 3, .add(939_034_759_387_156_806)),
            (40, 2, 2, .add(2_178_697_423_586_680_139)), (45, 7, 3, .add(563_216_646_640_416_076)),
            (46, 14, 0, .settle(days: 0)),
            (47, 16, 0, Self.edit(17_419_176_447_359_264_833, 17_346_688_988_788_188_784)),
            (64, 2186, 0, .settle(days: 196)),
        ])
        expectNoFailure(125, steps)
    }

    /// Versions noted after a clock went back counted as older than those before: an absence dropped the wrong dots.
    @Test func aDeletionAfterTheClockWentBackIsBelieved() {
        let steps = Self.steps([
            (1, 3096, 1, .add(17_448_671_729_333_206_417)), (8, 2769, 0, .settle(days: 0)),
            (11, 1885, 0, .setClock(-151_750_900_000)),
            (21, 3459, 0, Self.edit(545_404_859_436_841_415, 10_584_291_962_358_690_719)),
            (57, 127, 0, .settle(days: 0)), (58, 148, 0, .remove(15_305_493_832_212_968_338)),
            (64, 2654, 0, .settle(days: 0)),
        ])
        expectNoFailure(170, steps)
    }

    /// What came from a peer while the directory was away kept the daemon busy until it was back.
    @Test func nothingIsBusyWhileTheDirectoryIsAway() {
        let steps = Self.steps([
            (0, 10, 0, .add(1)), (1, 3000, 0, .settle(days: 0)), (2, 10, 1, .moveAway(leavingEmpty: false)),
            (3, 500, 0, .add(9)), (4, 3000, 0, .leap(days: 1)), (5, 10, 1, .moveBack),
            (6, 10, 0, .settle(days: 0)),
        ])
        expectNoFailure(3, steps)
    }

    /// A contact was written under the name of a file that had just gone, and took its row: a crash undid the deletion.
    @Test func aDeletionLastsAlthoughItsNameIsWantedAgain() {
        let steps = Self.steps([
            (7, 17, 0, .add(8_409_988_868_509_841_637)),
            (22, 127, 0, .settle(days: 227)),
            (34, 46, 0, .add(6_303_230_774_379_767_842)),
            (37, 5, 2, .remove(8_890_243_713_589_563_118)),
            (41, 43, 0, .part(963_588_789_841_033_374)),
            (42, 20, 2, .crash(powerCut: false)),
            (44, 922, 0, .settle(days: 0)),
        ])
        expectNoFailure(481, steps)
    }

    /// A record that came between a commit and the next turn was noted as shown: after a crash no file showed it.
    @Test func whatCameRightAfterACommitIsShownAfterACrash() {
        let steps = Self.steps([
            (0, 52, 0, Self.edit(16_174_095_674_019_323_606, 13_968_607_235_671_297_852, inPlace: true)),
            (1, 16, 2, .cut(18_343_401_438_684_786_335)),
            (2, 47, 2, .add(14_371_225_369_208_688_638)),
            (3, 8, 0, .add(5_004_125_535_142_126_289)),
            (4, 39, 0, .add(1_665_761_755_945_248_226)),
            (5, 4, 0, Self.edit(3_536_743_527_004_492_407, 10_101_408_455_612_380_970)),
            (6, 57, 2, .add(9_903_343_176_010_303_522)),
            (7, 28, 1, .add(2_726_200_351_996_577_374)),
            (8, 819, 0, .settle(days: 0)),
            (9, 53, 0, Self.edit(3_261_457_794_524_544_895, 2_863_115_365_238_300_270, inPlace: true)),
            (10, 49, 2, Self.edit(2_965_629_532_942_620_269, 18_354_921_757_448_246_774, inPlace: true)),
            (12, 25, 2, Self.edit(13_504_534_243_806_467_099, 11_000_946_015_957_100_790, inPlace: true)),
            (13, 34, 1, .start),
            (14, 32, 2, .merge(13_509_461_955_660_543_855, 1_763_569_711_962_619_655)),
            (15, 7, 1, .moveAway(leavingEmpty: false)),
            (17, 24, 0, Self.edit(18_013_593_069_801_400_618, 8_042_231_473_927_768_284)),
            (18, 18, 2, .moveAway(leavingEmpty: false)),
            (20, 4, 1, .crash(powerCut: false)),
            (23, 1930, 0, .settle(days: 0)),
        ])
        expectNoFailure(535, steps)
    }

    /// A file that was added with the uid of one just being written counted as an edit of what that was to show.
    @Test func aFileAddedBesideOneThatIsBeingWrittenIsNoEditOfIt() {
        let steps = Self.steps([
            (0, 2, 1, .add(17_676_700_835_600_571_060)),
            (1, 53, 1, .add(16_412_867_410_526_862_578)),
            (2, 21, 1, .add(7_889_425_042_085_006_877)),
            (3, 39, 1, .add(2_352_571_725_056_985_832)),
            (4, 23, 1, .start),
            (5, 3, 0, .add(18_016_744_199_015_532_019)),
            (8, 316, 0, .settle(days: 0)),
        ])
        expectNoFailure(624, steps)
    }

    /// A third name made a switchboard of a number, which split others: after a crash their file stayed as it was.
    @Test func aSplitThatAnotherRecordMadeIsShownAfterACrash() {
        let steps = Self.steps([
            (0, 32, 2, .add(15_912_147_622_036_259_285)), (1, 47, 1, .add(18_275_966_087_448_172_779)),
            (4, 49, 2, .add(4_291_725_685_472_247_270)), (7, 57, 2, .add(3_062_942_213_094_065_390)),
            (16, 32, 0, .add(4_372_151_483_744_499_101)), (20, 2707, 0, .settle(days: 0)),
            (23, 10, 1, .add(12_603_719_593_419_361_348)),
            (44, 2945, 1, Self.edit(11_693_363_496_251_857_436, 2_383_065_159_096_715_500)),
            (46, 1909, 0, .settle(days: 6)), (51, 18, 1, .add(11_938_197_458_543_318_158)),
            (53, 19, 1, .load(7_155_735_251_344_561_530)), (55, 24, 2, .add(6_156_237_782_991_876_679)),
            (62, 34, 1, .removeByCommand(11_759_829_160_111_653_744)),
            (64, 19, 2, .crash(powerCut: true)), (66, 2256, 0, .settle(days: 83)),
        ])
        expectNoFailure(703, steps)
    }

    /// One file showed two contacts that were told apart elsewhere: removed before it could be rewritten, it came back.
    @Test func aFileThatIsRemovedWhileItsContactsAreToldApartStaysAway() throws {
        let steps = Self.steps([
            (0, 3337, 1, .add(9_265_142_448_514_172_181)), (1, 2259, 1, .add(9_285_154_080_262_036_998)),
            (2, 2710, 2, .add(7_387_601_405_869_038_996)),
            (5, 883, 2, .merge(9_171_040_023_623_455_553, 7_827_884_699_737_336_018)),
            (8, 1955, 0, .settle(days: 0)), (10, 3113, 2, .cut(14_144_010_763_353_153_826)),
            (11, 3283, 2, .add(2_412_264_735_412_459_040)),
            (17, 1771, 2, .addSeveral(954_480_472_128_021_314)),
            (21, 2124, 1, .add(2_181_291_887_667_168_849)),
            (22, 1722, 1, .rollBack(17_452_275_084_368_636_109)), (32, 814, 0, .settle(days: 0)),
            (37, 20, 2, .add(8_484_900_889_022_916_341)), (38, 13, 0, .add(16_788_394_312_018_540_470)),
            (39, 50, 1, .rename(520_432_806_078_080_587)),
            (40, 39, 0, .merge(974_684_100_744_390_247, 11_864_503_476_314_677_047)),
            (41, 19, 2, .unmerge(6_975_505_545_218_655_810, 9_296_997_969_060_688_241)),
            (42, 0, 0, .add(3_160_944_186_548_444_179)),
            (43, 54, 0, .addSeveral(7_932_036_702_255_503_668)),
            (47, 56, 0, .add(11_592_377_736_320_439_467)), (50, 37, 0, .add(6_723_400_174_095_391_366)),
            (53, 22, 0, .remove(10_852_370_211_462_975_944)), (72, 1347, 0, .settle(days: 0)),
        ])
        let run = try Run(steps, seed: 34, machines: 3)
        try run.go()
        for machine in run.world.machines {
            let living = machine.life.map { Shown.living($0.list) } ?? []
            #expect(living.isDisjoint(with: ["q21z", "q23z", "q24z"]))
        }
    }

    /// A clock that was set right by years made all versions old at once: an editor's save took a peer's edit along.
    @Test func aSaveAfterTheClockWasSetTakesNothingFromAPeer() {
        let steps = Self.steps([
            (34, 2800, 0, .add(13_337_902_596_773_868_605)),
            (42, 365, 1, .add(14_597_917_393_557_644_735)),
            (49, 3720, 0, .removeByCommand(464_536_537_890_782_515)),
            (60, 1670, 0, .load(8_665_923_372_918_121_605)),
            (65, 3582, 1, Self.edit(13_622_034_634_265_929_587, 15_306_897_291_664_140_557)),
            (68, 3640, 0, .setClock(230_737_900_000)),
            (70, 2196, 0, .saveLoaded(546_288_646_656_223_498, 5_252_724_973_756_813_420)),
            (75, 483, 0, .settle(days: 0)),
        ])
        expectNoFailure(78, steps)
    }

    /// A version that was noted and never written, since the daemon ended, counted as seen by who removed the file.
    @Test func aRemovalAfterACrashTakesNoEditThatTheFileNeverShowed() {
        let steps = Self.steps([
            (1, 7, 3, .add(6_212_215_503_879_853_275)),
            (3, 33, 0, .add(17_629_098_401_729_973_730)),
            (8, 2258, 0, .settle(days: 0)),
            (10, 5, 2, .setClock(85_131_900_000)),
            (11, 49, 0, .add(16_035_485_596_430_778_001)),
            (14, 7, 0, .remove(10_699_780_620_281_977_398)),
            (18, 1551, 0, .settle(days: 82)),
            (22, 53, 1, Self.edit(9_010_003_171_387_883_340, 5_598_617_527_307_253_576)),
            (23, 45, 0, .add(9_871_818_222_520_447_610)),
            (24, 50, 0, Self.edit(5_236_030_389_375_170_872, 16_668_487_045_252_670_716)),
            (26, 9, 3, .crashWhileBusy(powerCut: true)),
            (28, 3, 3, .remove(4_767_168_552_088_637_879)),
            (29, 438, 0, .settle(days: 0)),
            (66, 1628, 0, .settle(days: 0)),
        ])
        expectNoFailure(161, steps)
    }

    /// One of several contacts was taken out of a file: a crash before that was seen twice forgot it.
    @Test func aContactTakenOutOfAFileStaysAwayAfterACrash() {
        let steps = Self.steps([
            (11, 279, 2, .addSeveral(3_790_749_679_910_724_403)),
            (35, 739, 0, .settle(days: 0)),
            (36, 25, 2, .removeItem(10_187_721_036_717_151_969, 10_895_410_802_939_547_384)),
            (42, 50, 2, .crashWhileBusy(powerCut: false)),
            (57, 2991, 0, .settle(days: 0)),
        ])
        expectNoFailure(1279, steps)
    }

    /// A file that the daemon took away, and had not noted when the power went, counted as removed by a person.
    @Test func whatTheDaemonTookAwayBeforeACrashIsNoDeletion() {
        let steps = Self.steps([
            (7, 45, 3, .add(3_297_485_392_412_405_760)),
            (10, 3424, 1, .add(16_215_864_347_932_220_168)),
            (22, 7, 1, .merge(1_370_222_752_436_956_442, 6_230_606_285_784_729_381)),
            (24, 56, 2, .add(7_846_271_455_169_777_512)),
            (26, 0, 1, .unmerge(6_765_271_643_585_364_891, 390_422_752_910_380_746)),
            (29, 24, 0, .crashWhileBusy(powerCut: true)),
            (33, 2526, 0, .settle(days: 0)),
            (44, 265, 0, .leap(days: 397)),
            (105, 1433, 0, .settle(days: 0)),
        ])
        expectNoFailure(3080, steps)
    }

    /// A file without uid was known by the number and name that its contact had by then, not by those that it had shown.
    @Test func anEditOfAFileWithoutUIDMeetsAPeersEditOfNameAndNumber() {
        let steps = Self.steps([
            (0, 1431, 0, .add(12_148_777_838_957_948_967)),
            (1, 850, 2, .add(7_594_215_798_854_966_955)),
            (2, 731, 3, .add(12_133_348_971_279_995_029)),
            (4, 1174, 2, .add(14_113_671_451_244_903_613)),
            (5, 13, 0, .add(12_446_068_415_087_414_122)),
            (7, 2831, 1, .add(4_245_201_929_396_059_296)),
            (8, 2042, 0, .settle(days: 0)),
            (
                10, 8, 0,
                .edit(8_738_547_941_389_523_472, 4_390_245_386_204_250_454, inPlace: false, isSeen: false)
            ),
            (27, 57, 3, .halfSave(3_620_058_881_705_896_358, 6_535_893_783_203_402_494)),
            (29, 24, 3, Self.edit(16_917_317_469_875_771_079, 82_596_659_908_730_212, inPlace: true)),
            (31, 301, 0, .settle(days: 0)),
        ])
        expectNoFailure(10790, steps)
    }

    /// The version that a file still showed was too old after weeks without a daemon, for the sake of one never written.
    @Test func anEditBeforeACrashAndALongRestTakesNothingFromAPeer() {
        let steps = Self.steps([
            (0, 2354, 1, .add(14_565_508_447_474_304_063)),
            (1, 1628, 0, .add(6_062_834_781_540_059_724)),
            (2, 1437, 3, .add(8_162_525_025_436_744_339)),
            (3, 3212, 1, .add(18_102_651_427_111_133_362)),
            (4, 2277, 0, .add(17_364_683_619_105_956_972)),
            (7, 2116, 3, .add(14_933_998_992_887_651_014)),
            (8, 426, 0, .settle(days: 0)),
            (14, 56, 2, .add(711_141_822_630_191_789)),
            (18, 31, 2, .add(12_762_149_172_694_033_425)),
            (27, 26, 3, .redial(15_666_497_701_931_175_724)),
            (30, 4, 2, .part(9_289_358_571_842_163_333)),
            (36, 20, 3, .cut(17_089_929_517_342_412_814)),
            (46, 2467, 0, .settle(days: 0)),
            (47, 237, 3, .crash(powerCut: false)),
            (48, 2824, 3, .remove(17_339_962_645_134_018_313)),
            (52, 1133, 1, .remove(13_828_894_993_536_631_932)),
            (53, 1920, 0, .leap(days: 280)),
            (55, 694, 3, Self.edit(9_393_045_374_173_217_814, 13_800_024_252_317_299_193)),
            (58, 55, 3, .start),
            (59, 45, 2, Self.edit(10_497_157_353_377_842_266, 2_708_085_891_603_128_714, inPlace: true)),
            (61, 3, 2, .crashWhileBusy(powerCut: false)),
            (66, 41, 2, .leap(days: 64)),
            (68, 2103, 0, .settle(days: 0)),
        ])
        expectNoFailure(10586, steps)
    }

    /// A version counted as the newest for ever, also of a contact deleted a month ago: who added a file with its uid
    /// took away what that version had shown besides.
    @Test func aFileWithTheUIDOfAContactLongDeletedTakesNothingFromWhoWasShownWithIt() {
        let steps = Self.steps([
            (0, 36, 1, .add(17_245_114_563_028_510_593)),
            (1, 47, 1, .add(13_489_684_960_799_308_631)),
            (3, 59, 1, .add(12_297_254_327_208_545_385)),
            (6, 19, 0, .add(10_274_115_819_249_367_552)),
            (7, 48, 2, .add(17_541_122_450_730_469_894)),
            (11, 3637, 0, .add(5_972_625_699_795_755_187)),
            (12, 2882, 2, .add(16_978_610_409_050_036_854)),
            (13, 3842, 0, .add(18_320_458_470_653_698_229)),
            (15, 1996, 0, .add(10_303_577_446_275_625_601)),
            (19, 2669, 1, .add(2_280_557_611_140_981_453)),
            (26, 2870, 1, .add(17_620_400_599_087_644_482)),
            (27, 3622, 1, .add(17_813_344_408_477_546_167)),
            (28, 2008, 0, .add(6_518_335_214_205_324_422)),
            (32, 1584, 1, .add(17_325_244_594_200_644_783)),
            (33, 359, 0, .add(14_092_415_572_633_202_872)),
            (37, 2114, 0, .remove(13_548_051_288_239_541_524)),
            (39, 3145, 0, .addSeveral(13_099_514_338_628_799_397)),
            (49, 1270, 1, .add(9_289_654_623_222_468_104)),
            (56, 1232, 0, .addSeveral(8_312_925_335_830_496_794)),
            (59, 2901, 1, .remove(7_715_006_675_554_087_521)),
            (60, 1588, 0, .add(7_114_969_325_949_589_324)),
            (61, 274, 0, .settle(days: 32)),
            (66, 2300, 2, .add(5_471_165_898_010_683_169)),
            (83, 1448, 0, .settle(days: 0)),
        ])
        expectNoFailure(52033, steps)
    }

    private func expectNoFailure(_ seed: UInt64, _ steps: [Step]) {
        if let failure = Simulation(seed: seed).failure(of: steps) { Issue.record("\(failure)") }
    }
}
